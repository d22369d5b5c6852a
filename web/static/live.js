// Keeps the page up to date: hears the revision, fetches the page again, swaps what changed.
// Works without: every form is a plain form and every link a plain link.
(() => {
  const SWAPPED = ["seatbar", "turnline", "main", "tabs"];
  const POLL_MS = 2000;
  let seen = document.body.dataset.rev;
  let source = null;
  let polling = 0;

  const busy = () => {
    const at = document.activeElement;
    return at && /^(INPUT|SELECT|TEXTAREA)$/.test(at.tagName) && at.type !== "hidden";
  };
  const link = (there) => {
    const banner = document.getElementById("no-link");
    if (banner) banner.hidden = there;
    document.documentElement.classList.toggle("stale", !there);
  };
  async function refresh() {
    if (location.pathname === "/setup" || location.pathname.startsWith("/demo") || busy()) return;
    const answer = await fetch(location.pathname, { headers: { Accept: "text/html" } });
    if (!answer.ok) return;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const open = [...document.querySelectorAll("details[open][id]")].map((d) => d.id);
    for (const id of SWAPPED) {
      const old = document.getElementById(id);
      const fresh = page.getElementById(id);
      if (old && fresh && old.outerHTML !== fresh.outerHTML) old.replaceWith(fresh);
    }
    for (const id of open) document.getElementById(id)?.setAttribute("open", "");
    seen = page.body.dataset.rev;
  }
  async function told(rev) {
    link(true);
    if (String(rev) !== seen) await refresh().catch(() => link(false));
  }
  async function poll() {
    try {
      const answer = await fetch("/rev");
      await told((await answer.json()).rev);
    } catch { link(false); }
  }
  function listen() {
    source?.close();
    clearInterval(polling);
    source = new EventSource("/events");
    source.onmessage = (event) => told(event.data);
    source.onerror = () => {
      if (source.readyState === EventSource.CLOSED) {
        clearInterval(polling);
        polling = setInterval(poll, POLL_MS);
      }
      poll();
    };
  }
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "visible") { listen(); poll(); } else source?.close();
  });
  window.addEventListener("pageshow", (event) => { if (event.persisted) { listen(); poll(); } });
  window.addEventListener("online", () => { listen(); poll(); });
  listen();
})();
