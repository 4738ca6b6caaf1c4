"use strict";
(() => {
  const $ = (id) => document.getElementById(id);
  const info = JSON.parse($("info").textContent);
  const ranks = info.counts.length;
  const isDark = matchMedia("(prefers-color-scheme: dark)").matches;

  // Colours by kind; calls of one kind differ a little.
  const KINDS = {
    computing: [212, 62, 52], sleeping: [0, 0, 75], send: [36, 85, 55], receive: [6, 70, 56], wait: [340, 55, 55],
    test: [130, 40, 48], collective: [275, 42, 58], "one-sided": [182, 50, 42], file: [48, 50, 42], other: [0, 0, 58],
  };
  const seen = {}, named = new Map();
  const colours = info.states.map(([name, kind]) => {
    if (!named.has(name)) named.set(name, colour(kind));
    return named.get(name);
  });

  function colour(kind) {
    const [hue, rich, light] = KINDS[kind];
    const nth = (seen[kind] = (seen[kind] ?? -1) + 1);
    return hsl(hue + nth * 7, rich, light + (nth % 3) * 6 - (isDark ? 4 : 0));
  }

  function hsl(hue, rich, light) {
    const a = rich / 100 * Math.min(light / 100, 1 - light / 100);
    const part = (n) => {
      const k = (n + hue / 30) % 12;
      return Math.round(255 * (light / 100 - a * Math.max(-1, Math.min(k - 3, 9 - k, 1))));
    };
    return [part(0), part(8), part(4)];
  }

  const css = ([red, green, blue]) => `rgb(${red} ${green} ${blue})`;
  const pixel = ([red, green, blue]) => (255 << 24 | blue << 16 | green << 8 | red) >>> 0;

  // Numbers of seven bits to a byte.
  function reader(id) {
    const text = atob($(id).textContent.trim());
    const bytes = new Uint8Array(text.length);
    for (let at = 0; at < text.length; at++) bytes[at] = text.charCodeAt(at);
    let at = 0;
    const number = () => {
      for (let sum = 0, scale = 1; ; scale *= 128) {
        const byte = bytes[at++];
        sum += (byte & 127) * scale;
        if (byte < 128) return sum;
      }
    };
    const signed = () => {
      const n = number();
      return n % 2 ? -(n + 1) / 2 : n / 2;
    };
    return { number, signed };
  }

  const stays = (() => {
    const from = reader("stays");
    return info.counts.map((count) => {
      const rank = {
        begin: new Float64Array(count), end: new Float64Array(count),
        waited: new Float64Array(count), state: new Uint16Array(count),
      };
      for (let at = 0, date = 0; at < count; at++) {
        rank.state[at] = from.number();
        date += from.number();
        rank.begin[at] = date;
        date += from.number();
        rank.end[at] = date;
        rank.waited[at] = from.number();
      }
      return rank;
    });
  })();

  const messages = (() => {
    const from = reader("messages");
    const column = () => new Float64Array(info.messages);
    const all = {
      from: column(), to: column(), comm: column(), tag: column(), bytes: column(), called: column(), sent: column(),
      departed: column(), posted: column(), arrived: column(), delivered: column(),
    };
    for (let at = 0, called = 0; at < info.messages; at++) {
      all.from[at] = from.number();
      all.to[at] = from.number();
      all.comm[at] = from.number();
      all.tag[at] = from.signed();
      all.bytes[at] = from.number();
      called += from.signed();
      all.called[at] = called;
      for (const date of ["sent", "departed", "posted", "arrived", "delivered"]) all[date][at] = called + from.signed();
    }
    return all;
  })();

  // What is looked at: dates in nanoseconds, ranks from the first to behind the last.
  const whole = { from: 0, to: Math.max(info.end, 1), top: 0, bottom: ranks };
  const view = { ...whole };
  let picked = -1;
  let touched = null;
  const AXIS = 22;
  const canvas = $("timeline");
  const paint = canvas.getContext("2d");

  function clamp() {
    const span = Math.min(Math.max(view.to - view.from, 10), whole.to);
    view.from = Math.min(Math.max(view.from, 0), whole.to - span);
    view.to = view.from + span;
    const rows = Math.min(Math.max(view.bottom - view.top, 1), ranks);
    view.top = Math.min(Math.max(view.top, 0), ranks - rows);
    view.bottom = view.top + rows;
  }

  function fit(element) {
    const scale = window.devicePixelRatio || 1;
    const width = Math.max(1, Math.round(element.clientWidth * scale));
    const height = Math.max(1, Math.round(element.clientHeight * scale));
    if (element.width !== width || element.height !== height) Object.assign(element, { width, height });
    return scale;
  }

  function firstAfter(list, date) {
    let low = 0, high = list.length;
    while (low < high) {
      const middle = low + high >> 1;
      if (list[middle] <= date) low = middle + 1; else high = middle;
    }
    return low;
  }

  function time(ns, span) {
    const [unit, name] = span >= 2e9 ? [1e9, "s"] : span >= 2e6 ? [1e6, "ms"] : span >= 2e3 ? [1e3, "µs"] : [1, "ns"];
    const digits = Math.max(0, Math.min(9, Math.ceil(-Math.log10(span / unit / 100))));
    return `${(ns / unit).toFixed(digits)} ${name}`;
  }
  const length = (ns) => time(ns, ns);

  function draw() {
    clamp();
    const scale = fit(canvas);
    const { width, height } = canvas;
    const top = Math.round(AXIS * scale);
    const rows = height - top;
    const style = getComputedStyle(document.body);
    const paper = style.getPropertyValue("--paper").trim();
    paint.fillStyle = paper;
    paint.fillRect(0, 0, width, height);
    const drawn = drawStays(width, rows, top, paper);
    drawRegions(width, rows, top);
    const arrows = drawMessages(width, rows, top, scale);
    const steps = drawPath(width, rows, top, scale);
    drawAxis(width, top, scale, style);
    drawRanks(rows, top, scale, style);
    drawSteps("power", info.power, "hsl(24 80% 55% / 0.45)", (most) => `${most.toFixed(1)} W at most, all nodes with ranks`);
    drawSteps("speed", info.speed, "hsl(210 70% 55% / 0.4)", (most) => `${most.toPrecision(4)} Gflop/s at most, mean of cores of nodes`);
    Object.assign(document.body.dataset, {
      from: view.from, to: view.to, top: view.top, bottom: view.bottom, stays: drawn, arrows, picked, steps,
    });
  }

  // Pixels are set one by one: a million stays take no longer than the picture has room for.
  function drawStays(width, rows, top, paper) {
    const image = paint.createImageData(width, rows);
    const pixels = new Uint32Array(image.data.buffer);
    const empty = pixel(rgb(paper));
    const inks = colours.map(pixel);
    pixels.fill(empty);
    const step = rows / (view.bottom - view.top);
    const rate = width / (view.to - view.from);
    let drawn = 0, filled = 0;
    for (let rank = Math.floor(view.top); rank < Math.ceil(view.bottom); rank++) {
      const first = Math.max(0, Math.round((rank - view.top) * step));
      let last = Math.min(rows, Math.round((rank + 1 - view.top) * step));
      if (last <= first || first < filled) continue;
      filled = last;
      if (last - first > 6) last -= 1;
      const { begin, end, state } = stays[rank];
      const base = first * width;
      for (let at = firstAfter(end, view.from); at < begin.length && begin[at] < view.to; at++) {
        const left = Math.max(0, Math.floor((begin[at] - view.from) * rate));
        const right = Math.min(width, Math.max(left + 1, Math.round((end[at] - view.from) * rate)));
        if (right - left === 1) pixels[base + left] = inks[state[at]];
        else pixels.fill(inks[state[at]], base + left, base + right);
        drawn++;
      }
      for (let row = first + 1; row < last; row++) pixels.copyWithin(row * width, base, base + width);
    }
    paint.putImageData(image, 0, top);
    return drawn;
  }

  function rgb(colour) {
    const n = parseInt(colour.slice(1), 16);
    return [n >> 16 & 255, n >> 8 & 255, n & 255];
  }

  // Parts of the program as bands at the foot of a rank's row, the inner ones above the outer.
  const bands = info.regions.names.map((_, nth) => css(hsl(nth * 137.5, 60, isDark ? 62 : 40)));

  function drawRegions(width, rows, top) {
    const step = rows / (view.bottom - view.top);
    if (!$("show-regions").checked || step < 10) return;
    const rate = width / (view.to - view.from), thick = Math.min(6, step / 6);
    for (let rank = Math.floor(view.top); rank < Math.min(view.bottom, info.regions.ranks.length); rank++) {
      const foot = top + (rank + 1 - view.top) * step - 1;
      for (const [name, begin, end, depth] of info.regions.ranks[rank]) {
        if (begin > view.to) break;
        if (end < view.from || depth > 2) continue;
        const left = Math.max(0, (begin - view.from) * rate), right = Math.min(width, (end - view.from) * rate);
        paint.fillStyle = bands[name];
        paint.fillRect(left, foot - (depth + 1) * thick, Math.max(1, right - left), thick - 0.5);
      }
    }
  }

  // The regions that a rank is in at a date, the outer first.
  function regionsAt(rank, date) {
    const all = info.regions.ranks[rank] ?? [];
    return all.filter(([, begin, end]) => begin <= date && date < end)
      .sort((a, b) => a[3] - b[3]).map(([name]) => info.regions.names[name]).join(" / ");
  }

  // What the end of the run waited for: along ranks, and with messages from rank to rank.
  function drawPath(width, rows, top, scale) {
    if (!info.path || !$("show-path").checked) return 0;
    const rate = width / (view.to - view.from), step = rows / (view.bottom - view.top);
    const y = (rank) => top + (rank + 0.5 - view.top) * step;
    let count = 0;
    paint.save();
    paint.beginPath();
    paint.rect(0, top, width, rows);
    paint.clip();
    paint.beginPath();
    for (const [rank, begin, end, from] of info.path.steps) {
      if (end < view.from || begin > view.to) continue;
      paint.moveTo((begin - view.from) * rate, y(from));
      paint.lineTo((end - view.from) * rate, y(rank));
      count++;
    }
    paint.lineCap = "round";
    // A light rim tells it from arrows; where it goes to and fro, rims would cover all.
    const isBusy = count > 200, thick = isBusy ? 1.2 : 2.5;
    const ink = isDark ? "#ffe600" : isBusy ? "#111" : "#d6006c";
    for (const [colour, size] of [...(isBusy ? [] : [[isDark ? "#000" : "#fff", 2 * thick]]), [ink, thick]]) {
      paint.strokeStyle = colour;
      paint.lineWidth = size * scale;
      paint.stroke();
    }
    paint.restore();
    return count;
  }

  // Whether a rank is on the path at a date.
  function isOnPath(rank, date) {
    const steps = info.path?.steps ?? [];
    let low = 0, high = steps.length;
    while (low < high) {
      const middle = low + high >> 1;
      if (steps[middle][2] <= date) low = middle + 1; else high = middle;
    }
    return low < steps.length && steps[low][1] <= date && steps[low][0] === rank && steps[low][3] === rank;
  }

  const MOST_ARROWS = 3000;
  const isSeen = (at) => messages.called[at] < view.to && messages.delivered[at] > view.from
    && Math.max(messages.from[at], messages.to[at]) + 1 > view.top
    && Math.min(messages.from[at], messages.to[at]) < view.bottom;

  // Ends of an arrow: where it leaves its sender, and where it comes to its receiver.
  function ends(at, width, rows, top) {
    const rate = width / (view.to - view.from), step = rows / (view.bottom - view.top);
    return [
      (messages.departed[at] - view.from) * rate, top + (messages.from[at] + 0.5 - view.top) * step,
      (messages.arrived[at] - view.from) * rate, top + (messages.to[at] + 0.5 - view.top) * step,
    ];
  }

  function arrow(at, width, rows, top, head) {
    const [x1, y1, x2, y2] = ends(at, width, rows, top);
    const size = Math.hypot(x2 - x1, y2 - y1) || 1;
    // Heads of arrows that are hardly longer than their heads are nothing but spots.
    if (size < 3 * head) {
      paint.moveTo(x1, y1);
      paint.lineTo(x2, y2);
      return;
    }
    const [dx, dy] = [(x2 - x1) / size * head, (y2 - y1) / size * head];
    paint.moveTo(x1, y1);
    paint.lineTo(x2, y2);
    paint.moveTo(x2 - dx - dy / 2, y2 - dy + dx / 2);
    paint.lineTo(x2, y2);
    paint.lineTo(x2 - dx + dy / 2, y2 - dy - dx / 2);
  }

  function drawMessages(width, rows, top, scale) {
    let count = 0;
    if ($("show-arrows").checked) for (let at = 0; at < info.messages; at++) if (isSeen(at)) count++;
    const every = Math.ceil(count / MOST_ARROWS);
    paint.save();
    paint.beginPath();
    paint.rect(0, top, width, rows);
    paint.clip();
    paint.beginPath();
    for (let at = 0, nth = 0; count && at < info.messages; at++) {
      if (isSeen(at) && nth++ % every === 0) arrow(at, width, rows, top, 5 * scale);
    }
    paint.strokeStyle = isDark ? "rgb(255 255 255 / 0.55)" : "rgb(0 0 0 / 0.5)";
    paint.lineWidth = count > 500 ? 0.6 * scale : scale;
    paint.stroke();
    if (picked >= 0) {
      paint.beginPath();
      arrow(picked, width, rows, top, 9 * scale);
      paint.strokeStyle = isDark ? "#ffd34d" : "#c2185b";
      paint.lineWidth = 2.5 * scale;
      paint.stroke();
    }
    paint.restore();
    return count;
  }

  function drawAxis(width, top, scale, style) {
    const span = view.to - view.from;
    const rough = span / Math.max(2, width / scale / 120);
    const power = 10 ** Math.floor(Math.log10(rough));
    const step = power * [1, 2, 5, 10].find((n) => n * power >= rough);
    paint.fillStyle = paint.strokeStyle = style.getPropertyValue("--soft").trim();
    paint.font = `${11 * scale}px system-ui, sans-serif`;
    paint.lineWidth = 1;
    for (let date = Math.ceil(view.from / step) * step; date <= view.to; date += step) {
      const x = (date - view.from) / span * width;
      paint.fillRect(x, top - 5 * scale, 1, 5 * scale);
      paint.fillText(time(date, Math.max(span, step)), x + 3 * scale, top - 8 * scale);
    }
  }

  // Numbers of ranks where there is room for them.
  function drawRanks(rows, top, scale, style) {
    const step = rows / (view.bottom - view.top);
    const rough = Math.max(1, 14 * scale / step), power = 10 ** Math.floor(Math.log10(rough));
    const every = Math.ceil(power * [1, 2, 5, 10].find((n) => n * power >= rough));
    paint.font = `${10 * scale}px system-ui, sans-serif`;
    for (let rank = Math.ceil(view.top / every) * every; rank < view.bottom; rank += every) {
      const y = top + (rank + 0.5 - view.top) * step, text = String(rank);
      paint.fillStyle = style.getPropertyValue("--paper").trim();
      paint.fillRect(0, y - 6 * scale, paint.measureText(text).width + 6 * scale, 12 * scale);
      paint.fillStyle = style.getPropertyValue("--soft").trim();
      paint.fillText(text, 3 * scale, y + 3.5 * scale);
    }
  }

  // What nodes tell over time, as steps.
  function drawSteps(id, steps, ink, label) {
    if (!steps.length) return;
    const element = $(id), scale = fit(element), pen = element.getContext("2d");
    const { width, height } = element;
    const most = steps.reduce((most, [, value]) => Math.max(most, value), 1e-9);
    const rate = width / (view.to - view.from);
    const y = (value) => height - value / most * (height - 18 * scale);
    pen.clearRect(0, 0, width, height);
    pen.beginPath();
    pen.moveTo(0, height);
    let value = 0;
    for (let at = 0; at < steps.length; at++) {
      const [date, next] = steps[at];
      const x = (date - view.from) * rate;
      if (x > width) break;
      if (x >= 0) {
        pen.lineTo(Math.max(0, x), y(value));
        pen.lineTo(Math.max(0, x), y(next));
      } else if (steps[at + 1]?.[0] > view.from || at === steps.length - 1) {
        pen.lineTo(0, y(next));
      }
      value = next;
    }
    pen.lineTo(width, y(value));
    pen.lineTo(width, height);
    pen.fillStyle = ink;
    pen.fill();
    pen.fillStyle = getComputedStyle(document.body).getPropertyValue("--soft").trim();
    pen.font = `${11 * scale}px system-ui, sans-serif`;
    pen.fillText(label(most), 6 * scale, 12 * scale);
  }

  function describeMessage(at) {
    const m = messages;
    const span = m.delivered[at] - m.called[at];
    const on = (date) => time(m[date][at], Math.max(view.to - view.from, 1));
    return `Message ${at}: rank ${m.from[at]} to rank ${m.to[at]}, ${m.bytes[at]} bytes, tag ${m.tag[at]}, `
      + `communicator ${m.comm[at]}. Called ${on("called")}, sent ${on("sent")}, departed ${on("departed")}, `
      + `asked for ${on("posted")}, arrived ${on("arrived")}, delivered ${on("delivered")}: ${length(span)} in all.`;
  }

  function describeStay(rank, at, date) {
    const regions = regionsAt(rank, date), path = isOnPath(rank, date) ? " On the critical path." : "";
    const { begin, end, waited, state } = stays[rank];
    const waiting = waited[at] > 0 ? `, ${length(waited[at])} of it waiting` : "";
    const node = info.nodes[info.places[rank]], [name, , place] = info.states[state[at]];
    return `Rank ${rank} on ${node}: ${name}${place ? ` (${place})` : ""} from ${time(begin[at], view.to - view.from)} to `
      + `${time(end[at], view.to - view.from)}, ${length(end[at] - begin[at])}${waiting}${regions ? `; in ${regions}` : ""}.${path}`;
  }

  // What is at a place of the picture: a message if one passes near, else a stay.
  function at(x, y) {
    const rect = canvas.getBoundingClientRect();
    const width = rect.width, rows = rect.height - AXIS;
    let best = 6, message = -1;
    for (let nth = 0; nth < info.messages; nth++) {
      if (!isSeen(nth)) continue;
      const distance = away(x, y, ends(nth, width, rows, AXIS));
      if (distance < best) [best, message] = [distance, nth];
    }
    const rank = Math.floor(view.top + (y - AXIS) / rows * (view.bottom - view.top));
    const date = view.from + x / width * (view.to - view.from);
    const stay = stays[rank] ? firstAfter(stays[rank].end, date) : -1;
    const isIn = stay >= 0 && stay < stays[rank].begin.length && stays[rank].begin[stay] <= date;
    return { message, rank, stay: isIn ? stay : -1, date };
  }

  function away(x, y, [x1, y1, x2, y2]) {
    const [dx, dy] = [x2 - x1, y2 - y1];
    const part = Math.min(1, Math.max(0, ((x - x1) * dx + (y - y1) * dy) / (dx * dx + dy * dy || 1)));
    return Math.hypot(x - x1 - part * dx, y - y1 - part * dy);
  }

  function tell(text) {
    $("details").textContent = text || "\u00a0";
  }

  function pick(message) {
    picked = message >= 0 && message < info.messages ? message : -1;
    if (picked >= 0) tell(describeMessage(picked));
    draw();
  }

  function zoom(factor, x, low, high) {
    const part = x ?? 0.5, span = view[high] - view[low];
    const fixed = view[low] + part * span;
    view[low] = fixed - part * span * factor;
    view[high] = fixed + (1 - part) * span * factor;
    draw();
  }

  canvas.addEventListener("wheel", (event) => {
    event.preventDefault();
    const rect = canvas.getBoundingClientRect();
    const factor = Math.exp((event.deltaY || event.deltaX) * 0.0015);
    if (event.shiftKey) zoom(factor, (event.clientY - rect.top - AXIS) / (rect.height - AXIS), "top", "bottom");
    else zoom(factor, (event.clientX - rect.left) / rect.width, "from", "to");
  }, { passive: false });

  canvas.addEventListener("pointerdown", (event) => {
    touched = { x: event.clientX, y: event.clientY, view: { ...view }, moved: false };
    if (event.isTrusted) canvas.setPointerCapture(event.pointerId);
  });
  canvas.addEventListener("pointermove", (event) => {
    const rect = canvas.getBoundingClientRect();
    if (!touched) {
      if (picked >= 0) return;
      const found = at(event.clientX - rect.left, event.clientY - rect.top);
      tell(found.stay >= 0 ? describeStay(found.rank, found.stay, found.date) : "");
      return;
    }
    const [dx, dy] = [event.clientX - touched.x, event.clientY - touched.y];
    touched.moved ||= Math.hypot(dx, dy) > 4;
    if (!touched.moved) return;
    const before = touched.view;
    const [x, y] = [dx / rect.width * (before.to - before.from), dy / (rect.height - AXIS) * (before.bottom - before.top)];
    Object.assign(view, { from: before.from - x, to: before.to - x, top: before.top - y, bottom: before.bottom - y });
    draw();
  });
  canvas.addEventListener("pointerup", (event) => {
    const wasClick = touched && !touched.moved;
    touched = null;
    if (!wasClick) return;
    const rect = canvas.getBoundingClientRect();
    const found = at(event.clientX - rect.left, event.clientY - rect.top);
    if (found.message < 0) tell(found.stay >= 0 ? describeStay(found.rank, found.stay, found.date) : "");
    pick(found.message);
  });
  function showAll() {
    Object.assign(view, whole);
    draw();
  }
  canvas.addEventListener("dblclick", showAll);
  $("all").addEventListener("click", showAll);
  for (const tool of ["path", "regions", "arrows"]) $(`show-${tool}`).addEventListener("change", draw);
  $("rank").max = ranks - 1;
  $("rank").addEventListener("change", () => {
    const rank = Math.round($("rank").valueAsNumber);
    if (!(rank >= 0 && rank < ranks)) return;
    // It, and some beside it.
    Object.assign(view, { top: rank - 4, bottom: rank + 5 });
    draw();
  });
  canvas.addEventListener("keydown", (event) => {
    const move = (part) => {
      const by = part * (view.to - view.from);
      view.from += by;
      view.to += by;
      draw();
    };
    const keys = {
      "+": () => zoom(0.6, 0.5, "from", "to"), "-": () => zoom(1 / 0.6, 0.5, "from", "to"),
      ArrowLeft: () => move(-0.2), ArrowRight: () => move(0.2),
      ArrowUp: () => zoom(0.6, 0.5, "top", "bottom"), ArrowDown: () => zoom(1 / 0.6, 0.5, "top", "bottom"),
      0: () => showAll(), c: () => $("show-path").click(), m: () => $("show-arrows").click(),
    };
    if (keys[event.key]) {
      event.preventDefault();
      keys[event.key]();
    }
  });

  // The matrix: as many pixels as cells, stretched.
  (() => {
    const { share, cells } = info.matrix, size = Math.ceil(ranks / share), element = $("matrix");
    Object.assign(element, { width: size, height: size });
    const pen = element.getContext("2d"), known = new Map();
    const most = Math.max(1, ...cells.map(([, , , bytes]) => bytes));
    for (const [row, column, count, bytes] of cells) {
      known.set(row * size + column, [count, bytes]);
      const depth = 0.15 + 0.85 * Math.log1p(bytes) / Math.log1p(most);
      pen.fillStyle = isDark ? `hsl(200 80% ${15 + 60 * depth}%)` : `hsl(215 75% ${95 - 65 * depth}%)`;
      pen.fillRect(column, row, 1, 1);
    }
    const name = (cell) => share === 1 ? `rank ${cell}` : `ranks ${cell * share} to ${Math.min(ranks, (cell + 1) * share) - 1}`;
    element.addEventListener("pointermove", (event) => {
      const rect = element.getBoundingClientRect();
      const column = Math.floor((event.clientX - rect.left) / rect.width * size);
      const row = Math.floor((event.clientY - rect.top) / rect.height * size);
      const [count, bytes] = known.get(row * size + column) ?? [0, 0];
      $("cell").textContent = `From ${name(row)} to ${name(column)}: ${count} messages, ${bytes} bytes.`;
    });
  })();

  named.forEach((ink, name) => {
    const entry = document.createElement("span"), patch = document.createElement("i");
    patch.style.background = css(ink);
    entry.append(patch, name);
    $("legend").append(entry);
  });
  info.regions.names.forEach((name, nth) => {
    const entry = document.createElement("span"), patch = document.createElement("i");
    Object.assign(patch.style, { background: bands[nth], height: "0.3rem", verticalAlign: "0.15rem" });
    entry.append(patch, name);
    $("legend").append(entry);
  });
  if (!info.regions.names.length) $("regions-tool").hidden = true;
  if (!info.path) $("path-tool").hidden = true;
  else {
    const all = info.path.shares.reduce((sum, [, ns]) => sum + ns, 0) || 1;
    const parts = info.path.shares.map(([name, ns]) => `${name} ${(100 * ns / all).toFixed(1)} %`);
    $("path-shares").textContent = `Critical path: ${parts.join(", ")}.`;
  }
  if (!info.power.length) $("meter").remove();
  if (!info.speed.length) $("pace").remove();

  // A link may say what to look at: #t=FROM,TO (seconds) &r=FIRST,LAST &message=NUMBER &path
  function follow() {
    const asked = new URLSearchParams(location.hash.slice(1));
    const pair = (key) => (asked.get(key) ?? "").split(",").map(Number).filter((n) => !Number.isNaN(n));
    const [from, to] = pair("t"), [first, last] = pair("r");
    if (asked.has("path")) $("show-path").checked = true;
    if (to > from) Object.assign(view, { from: from * 1e9, to: to * 1e9 });
    if (last >= first) Object.assign(view, { top: first, bottom: last + 1 });
    pick(asked.has("message") ? Number(asked.get("message")) : -1);
  }
  addEventListener("hashchange", follow);
  addEventListener("resize", draw);
  follow();
})();
