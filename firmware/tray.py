"""The tray controller: feels a throw and its rest, shows a light, and tells the companion.

`Tray.step` takes the time, a sample of the piezo, the button and the bytes that came, and answers
the bytes to send; `Tray.ring` is the light at that moment. There is no pin, no clock and no port in
here, so the same file runs on the board, in the simulated tray and in the tests.

A command says how the light shall be, never how it shall change, so hearing it twice does no harm;
its answer echoes its `id`. Events are numbered from 1 in each boot, and the newest `KEPT` can be
asked for again, so a throw survives a bad line or a pulled cable:

    {"do":"hello","id":1,"protocol":1}              {"is":"hello","id":1,"boot":"5f01c3", ...}
    {"do":"light","id":2,"level":"ask"}             {"is":"done","id":2}
    {"do":"light","id":3,"level":"colour","colour":[200,0,0]}           {"is":"done","id":3}
    {"do":"replay","id":4,"from":2}                 {"is":"replay","id":4,"from":2}, the events
    {"do":"beat"}, each second, as the tray does:   {"is":"beat","boot":"5f01c3","next":5, ...}
    and unasked:    {"is":"event","number":4,"kind":"settled","waking":false,"boot":"5f01c3", ..}

A command that is not understood gets {"is":"refused","id":5,"why":"level"}.
"""

from firmware.wire import DEVICE, LEVELS, PROTOCOL, Decoder, encode

FIRMWARE = "1.0.0"
KEPT = 16  # events that can be asked for again
BEAT = 1000  # ms between two beats
ALONE = 5000  # ms without a host until the light goes idle

STRONG = 6000  # of 65535 (0.3 V at the pin): a die falls
SOFT = 2000  # of 65535 (0.1 V): something still moves
HITS, TOGETHER = 3, 60  # so many strong samples within so many ms are a throw; one spark is none
QUIET = 400  # ms without a soft sample are rest
BOUNCE = 30  # ms in which a button's contact may still bounce

BRIGHT = 3  # 16 pixels at a third of full power stay below the 500 mA of a USB port


class Piezo:
    """Feels the tray: `shaking` from the first hits of a throw until it has been quiet.

    `waking` lasts from power-up to the first rest, for nobody knows what went on before.
    """

    def __init__(self, now):
        self.shaking = False
        self.waking = True
        self._loud_at = now
        self._first_hit, self._hits = now, 0

    def feel(self, now, sample):
        """Take a sample, 0 to 65535, at `now` (ms); return `thrown`, `settled` or None."""
        if sample > SOFT:
            self._loud_at = now
        if not self.shaking and self._struck(now, sample):
            self.shaking = True
            return "thrown"
        if (self.shaking or self.waking) and now - self._loud_at >= QUIET:
            self.shaking = self.waking = False
            return "settled"
        return None

    def _struck(self, now, sample):
        if sample <= STRONG:
            return False
        if now - self._first_hit > TOGETHER:
            self._first_hit, self._hits = now, 0
        self._hits += 1
        return self._hits >= HITS


class Tray:
    """One boot of the controller. `board` names the board, `boot` this boot; `now` is in ms.

    `now` counts up from anywhere and never wraps.
    """

    def __init__(self, board, boot, now):
        self.level, self.colour = "idle", (0, 0, 0)
        self._board, self._boot = board, boot
        self._piezo, self._peak = Piezo(now), 0
        self._down, self._changed_at = False, now - BOUNCE
        self._decoder = Decoder()
        self._number = 0
        self._events = []  # (number, kind, waking, ticks), the newest KEPT
        self._host_at = None  # when a host was last heard
        self._beat_at = now + BEAT
        self._said = bytearray()
        self._say(self._hello(now))

    def step(self, now, sample, down, heard):
        """Live on until `now`; return the bytes to send.

        `sample` is the piezo's, 0 to 65535; `down` whether the button is pressed; `heard` the bytes
        that came since the last step.
        """
        self._peak = max(self._peak, sample)
        waking = self._piezo.waking
        happened = self._piezo.feel(now, sample)
        if happened:
            self._happen(happened, now, waking)
        if down != self._down and now - self._changed_at >= BOUNCE:
            self._down, self._changed_at = down, now
            if down:
                self._happen("button", now, waking)
        for byte in heard:
            message = self._decoder.feed(byte)
            if message is not None:
                self._host_at = now
                self._obey(message, now)
        if self._host_at is not None and now - self._host_at >= ALONE:
            self._host_at, self.level = None, "idle"
        if now >= self._beat_at:
            self._beat_at = now + BEAT
            self._beat(now)
        said, self._said = bytes(self._said), bytearray()
        return said

    def shown(self):
        """Return the level that the light shows: a felt throw before what the host wants."""
        if self._host_at is None:
            return "idle"
        return "thrown" if self._piezo.shaking else self.level

    def ring(self, now, pixels):
        """Return the light as one (red, green, blue), 0 to 255 each, per pixel.

        `reading` and `idle` stand still, for the camera; `ask` breathes once in two seconds.
        """
        level = self.shown()
        if level == "reading":
            return [(255 // BRIGHT, 255 // BRIGHT, 230 // BRIGHT)] * pixels
        if level == "colour":
            return [tuple(part // BRIGHT for part in self.colour)] * pixels
        if level == "ask":
            breath = abs(now % 2000 - 1000) // 20  # 0 to 50
            return [(10 + breath // 2, 10 + breath // 2, 20 + breath)] * pixels
        if level == "thrown":
            head = now // 60 % pixels
            return [(60, 40, 10) if (i - head) % pixels < 4 else (12, 8, 2) for i in range(pixels)]
        return [(10, 8, 5)] * pixels

    # ---- private

    def _happen(self, kind, now, waking):
        self._number += 1
        event = (self._number, kind, waking, now)
        self._events.append(event)
        self._events = self._events[-KEPT:]
        if self._host_at is not None:
            self._tell(event)

    def _tell(self, event):
        number, kind, waking, ticks = event
        line = {"is": "event", "number": number, "kind": kind, "waking": waking}
        line["boot"], line["ticks"] = self._boot, ticks
        self._say(line)

    def _beat(self, now):
        peak, self._peak = self._peak, 0
        if self._host_at is None:
            return  # nobody listens, and a full USB buffer would hold the tray up
        line = {"is": "beat", "ticks": now, "next": self._number + 1, "bad": self._decoder.bad}
        line["peak"], line["shaking"], line["boot"] = peak, self._piezo.shaking, self._boot
        self._say(line)

    def _hello(self, now):
        line = {"is": "hello", "device": DEVICE, "protocol": PROTOCOL, "firmware": FIRMWARE}
        line["board"], line["boot"] = self._board, self._boot
        line["next"], line["ticks"] = self._number + 1, now
        return line

    def _obey(self, message, now):
        do, request = message.get("do"), message.get("id")
        if do == "beat":
            return
        if type(request) is not int or not 0 <= request <= 999999:
            return  # without its number an answer would help nobody
        if do == "hello":
            answer = self._hello(now)
            answer["id"] = request
            self._say(answer)
        elif do == "light":
            why = self._set_light(message.get("level"), message.get("colour"))
            self._say(
                {"is": "refused", "id": request, "why": why} if why else _done("done", request)
            )
        elif do == "replay" and type(message.get("from")) is int:
            self._replay(request, message["from"])
        else:
            self._say({"is": "refused", "id": request, "why": "command"})

    def _set_light(self, level, colour):
        """Return what is wrong with the wish, or None when it is granted."""
        if level not in LEVELS:
            return "level"
        if colour is not None or level == "colour":
            if not isinstance(colour, list) or len(colour) != 3:
                return "colour"
            for part in colour:
                if type(part) is not int or not 0 <= part <= 255:
                    return "colour"
            self.colour = tuple(colour)
        self.level = level
        return None

    def _replay(self, request, first):
        oldest = self._events[0][0] if self._events else self._number + 1
        answer = _done("replay", request)
        answer["from"] = max(first, oldest)
        self._say(answer)
        for event in self._events:
            if event[0] >= first:
                self._tell(event)

    def _say(self, message):
        self._said += encode(message)


def _done(what, request):
    return {"is": what, "id": request}
