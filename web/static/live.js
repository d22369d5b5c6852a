// Keeps a page up to date: hears the revision, fetches the page again, morphs in what changed.
// Everything works without it: each answer is a plain form, each number a plain link.
(() => {
  const POLL_MS = 2000, MOST_STREAMS = 4, NOTE_MS = 4000, html = document.documentElement;
  const page = () => document.getElementById("page");
  const over = document.getElementById("over");
  let source = null, poller = 0, asked = 0, others = 0, opener = null;
  let newest = 0, asking = false, before = "", behind = false, noted = Date.now(), fading = 0;
  html.classList.add("live");

  function linked(there) {
    document.getElementById("no-link").hidden = there;
    html.classList.toggle("offline", !there);
  }
  const current = (rev) => String(rev) === page().dataset.rev || "still" in page().dataset;
  // A note is for the page as it was, but is left long enough to be read when the table goes on at once.
  function forget() {
    const here = new URL(location.href);
    here.searchParams.delete("told");
    history.replaceState(history.state, "", here);
    document.getElementById("note")?.remove();
  }
  function fade() {
    clearTimeout(fading);
    if (!new URLSearchParams(location.search).has("told")) return;
    const left = noted + NOTE_MS - Date.now();
    if (left > 0) fading = setTimeout(forget, left); else forget();
  }
  function heard(rev) {
    linked(true);
    newest = Number(rev);
    if (current(rev)) { html.classList.remove("stale"); return; }
    if (asking) { behind = true; return; }
    fade();
    asking = true; // one fetch at a time; what came meanwhile is fetched after it
    before = page().dataset.rev;
    htmx.ajax("GET", location.pathname + location.search, { target: "#page", select: "#page", swap: "outerMorph" })
      .finally(() => { asking = false; html.classList.remove("stale"); if (behind) { behind = false; ask(); } });
  }
  const ask = () => fetch("/rev").then((r) => r.json()).then((j) => heard(j.rev)).catch(() => linked(false));
  // A browser opens 6 connections to one server: its tabs share them, later tabs poll.
  const tabs = new BroadcastChannel("streams");
  tabs.onmessage = ({ data }) => { if (data === "here") others += 1; else if (source) tabs.postMessage("here"); };
  const poll = () => { clearInterval(poller); poller = setInterval(ask, POLL_MS); };
  function silent() { source?.close(); source = null; clearInterval(poller); clearTimeout(asked); }
  function listen() {
    silent();
    others = 0;
    tabs.postMessage("who");
    asked = setTimeout(() => (others < MOST_STREAMS ? stream() : poll()), 80);
  }
  function stream() {
    source = new EventSource("/events");
    source.onopen = () => clearInterval(poller);
    source.onmessage = (event) => heard(event.data);
    source.onerror = () => { poll(); ask(); };
  }
  function wake() { html.classList.add("stale"); listen(); ask().finally(() => html.classList.remove("stale")); }
  document.addEventListener("visibilitychange", () => { if (document.visibilityState === "visible") wake(); else silent(); });
  addEventListener("pageshow", (event) => { if (event.persisted) wake(); });
  addEventListener("online", wake);

  function closeSheet() { over.replaceChildren(); opener?.isConnected && opener.focus(); opener = null; }
  function step(button) {
    const field = button.parentElement.querySelector("input");
    if (button.dataset.step > 0) field.stepUp(); else field.stepDown();
    field.dispatchEvent(new Event("change", { bubbles: true }));
  }
  document.addEventListener("click", (event) => {
    const at = event.target.closest("a.num, a[data-sheet], [data-close], [data-step], [data-goto]");
    if (!at || event.ctrlKey || event.metaKey) return;
    if (at.dataset.step) return step(at);
    if (at.dataset.goto) return document.getElementById(at.dataset.goto)?.scrollIntoView({ block: "center" });
    if ("close" in at.dataset) { if (over.contains(at)) { event.preventDefault(); closeSheet(); } return; }
    if (over.contains(at)) return;
    event.preventDefault();
    opener = at;
    htmx.ajax("GET", at.getAttribute("href"), { target: "#over", select: "#sheet", swap: "innerHTML" })
      .then(() => over.querySelector("h2")?.focus());
  });
  document.addEventListener("keydown", (event) => { if (event.key === "Escape" && over.firstElementChild) closeSheet(); });
  document.addEventListener("pointerdown", (event) => { // any touch stops the grace time
    if (!("grace" in page().dataset) || event.target.closest(".grace form")) return;
    delete page().dataset.grace;
    const body = new URLSearchParams({ mark: document.querySelector("input[name=mark]").value });
    fetch("/touch", { method: "POST", body, redirect: "manual" }).catch(() => {});
  });
  document.addEventListener("htmx:error", () => linked(false));
  document.addEventListener("htmx:after:request", (event) => { // never swap in what is no page of ours
    const { text, request, target } = event.detail.ctx;
    if (!/id="(page|sheet|lead)"/.test(text)) { event.preventDefault(); linked(false); }
    else if (asking && request.method === "GET" && target === page() && page().dataset.rev !== before) {
      event.preventDefault(); // an answer came first, with its note: what was fetched meanwhile is older, or the same
      behind = true;
    }
  });
  document.addEventListener("htmx:after:swap", (event) => {
    const from = event.detail.ctx?.sourceElement;
    if (event.detail.ctx?.request?.method === "POST" && event.detail.ctx.target === page()) {
      clearTimeout(fading);
      noted = Date.now();
      if (newest > Number(page().dataset.rev)) heard(newest); // the answer was late: the table is further on
    }
    if (!from?.matches?.("form")) return;
    if (over.contains(from)) closeSheet();
    if (!document.getElementById("objection")) { // what was answered is not left standing there
      from.reset();
      from.closest("details[open]")?.removeAttribute("open");
    }
    const first = document.querySelector("#objection, .q");
    if (first && !from.closest("#hold, .deal")) first.scrollIntoView({ block: "nearest" });
  });
  listen();
})();
