"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const $ = (id) => document.getElementById(id);
  const bytes = (text) => Uint8Array.from(atob(text), (c) => c.charCodeAt(0)).buffer;
  const xy = new Float32Array(bytes(data.xy));
  const group = new Uint16Array(bytes(data.group));
  const topic = new Int32Array(bytes(data.topic));
  const n = group.length;
  const canvas = $("map"), draw = canvas.getContext("2d"), card = $("card");
  const on = data.groups.map(() => true);
  const match = new Uint8Array(n).fill(1);
  const folded = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  let texts = null, query = "", hits = [], over = -1, pinned = -1, dark = false, asked = false;
  let scale = 1, fit = 1, left = 0, top = 0, ratio = 1;

  // -- the papers by place: a grid whose cells list their papers -----------------------------
  const SIDE = Math.max(8, Math.min(256, Math.ceil(Math.sqrt(n / 4))));
  const cellOf = (v) => Math.max(0, Math.min(SIDE - 1, Math.floor(v * SIDE)));
  const starts = new Int32Array(SIDE * SIDE + 1), inCell = new Int32Array(n);
  for (let i = 0; i < n; i++) starts[cellOf(xy[2 * i + 1]) * SIDE + cellOf(xy[2 * i]) + 1]++;
  for (let c = 0; c < SIDE * SIDE; c++) starts[c + 1] += starts[c];
  const next = starts.slice();
  for (let i = 0; i < n; i++) inCell[next[cellOf(xy[2 * i + 1]) * SIDE + cellOf(xy[2 * i])]++] = i;

  const px = (i) => left + xy[2 * i] * scale;
  const py = (i) => top + (1 - xy[2 * i + 1]) * scale;
  const active = (i) => match[i] === 1 && on[group[i]];
  const radius = () => {
    const base = Math.max(1.1, Math.min(5, 115 / Math.sqrt(n + 1)));
    return Math.min(9, base * Math.sqrt(Math.max(1, scale / fit)));
  };

  function at(x, y) {
    const reach = (radius() + 5) / scale;
    const wx = (x - left) / scale, wy = 1 - (y - top) / scale;
    let best = -1, near = Infinity;
    for (let r = cellOf(wy - reach); r <= cellOf(wy + reach); r++)
      for (let c = cellOf(wx - reach); c <= cellOf(wx + reach); c++)
        for (let k = starts[r * SIDE + c]; k < starts[r * SIDE + c + 1]; k++) {
          const i = inCell[k];
          if (!active(i)) continue;
          const d = (xy[2 * i] - wx) ** 2 + (xy[2 * i + 1] - wy) ** 2;
          if (d < near && d <= reach * reach) { near = d; best = i; }
        }
    return best;
  }

  // -- drawing --------------------------------------------------------------------------------
  const rgb = (hex) => [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16));
  const EDGE = 40;  // pixels around what is seen, so that points on its edge are whole
  let image = null;
  // Points are blended into the pixels: a hundred times as quick as a path or picture for each.
  function points(r) {
    const w = canvas.width + 2 * EDGE, h = canvas.height + 2 * EDGE;
    const reach = Math.min(EDGE - 1, Math.ceil(r * ratio));
    if (!image || image.width !== w || image.height !== h) image = draw.createImageData(w, h);
    const out = image.data, ground = rgb(dark ? "#202124" : "#fdfcfa");
    new Uint32Array(out.buffer).fill((255 << 24) | (ground[2] << 16) | (ground[1] << 8) | ground[0]);
    const off = [], cover = [];
    for (let dy = -reach; dy <= reach; dy++)
      for (let dx = -reach; dx <= reach; dx++) {
        const share = Math.min(1, r * ratio + 0.5 - Math.hypot(dx, dy));
        if (share > 0.05) { off.push(4 * (dy * w + dx)); cover.push(0.85 * share); }
      }
    const ghost = rgb(dark ? "#393b3f" : "#dcd8d1");
    const colours = data.groups.map((one) => rgb(dark ? one.dark : one.light));
    for (const wanted of [false, true])
      for (let i = 0; i < n; i++) {
        if (active(i) !== wanted) continue;
        const x = Math.round(px(i) * ratio) + EDGE, y = Math.round(py(i) * ratio) + EDGE;
        if (x < reach || y < reach || x >= w - reach || y >= h - reach) continue;
        const [red, green, blue] = wanted ? colours[group[i]] : ghost, base = 4 * (y * w + x);
        for (let k = 0; k < off.length; k++) {
          const at = base + off[k], share = cover[k];
          out[at] += (red - out[at]) * share;
          out[at + 1] += (green - out[at + 1]) * share;
          out[at + 2] += (blue - out[at + 2]) * share;
        }
      }
    draw.putImageData(image, -EDGE, -EDGE);
  }

  function paint() {
    asked = false;
    const w = canvas.width / ratio, h = canvas.height / ratio, r = radius();
    const style = getComputedStyle(document.documentElement);
    draw.setTransform(1, 0, 0, 1, 0, 0);
    points(r);
    draw.setTransform(ratio, 0, 0, ratio, 0, 0);
    ring(over, r, style.getPropertyValue("--text"));
    ring(pinned, r, style.getPropertyValue("--accent"));
    names(w, h, style);
    let shown = 0;
    for (let i = 0; i < n; i++) shown += active(i);
    $("status").textContent = `${shown.toLocaleString("en")} of ${n.toLocaleString("en")} papers`;
    canvas.dataset.shown = shown;
    canvas.dataset.zoom = (scale / fit).toFixed(3);
  }

  function ring(i, r, colour) {
    if (i < 0) return;
    draw.strokeStyle = colour;
    draw.lineWidth = 2;
    draw.beginPath();
    draw.arc(px(i), py(i), r + 3, 0, 2 * Math.PI);
    draw.stroke();
  }

  // A long name in two lines, as even as its words allow.
  function folded2(text) {
    const spaces = [...text.matchAll(/ /g)].map((one) => one.index);
    if (text.length <= 22 || !spaces.length) return [text];
    const off = (at) => Math.abs(at - text.length / 2);
    const at = spaces.reduce((best, one) => (off(one) < off(best) ? one : best));
    return [text.slice(0, at), text.slice(at + 1)];
  }

  // -- whose points lie where: sums over a grid, so that a rectangle costs the same at any size ----
  const CELLS = 256, [west, south, east, north] = data.extent;
  const side = Math.max(east - west, north - south, 1e-6) * 1.02;
  const x0 = (west + east) / 2 - side / 2, y0 = (south + north) / 2 - side / 2;
  const levels = data.levels.map((one) => new Int32Array(bytes(one)));
  const sizes = data.names.map(() => 0);
  for (const one of levels) for (const name of one) if (name >= 0) sizes[name]++;
  const tables = new Map();
  function summed(key, weight) {
    if (tables.has(key)) return tables.get(key);
    if (tables.size > 120) tables.clear();
    const w = CELLS + 1, table = new Float64Array(w * w);
    for (let i = 0; i < n; i++) {
      const c = Math.floor((xy[2 * i] - x0) / side * CELLS), r = Math.floor((xy[2 * i + 1] - y0) / side * CELLS);
      if (c >= 0 && r >= 0 && c < CELLS && r < CELLS && on[group[i]]) table[(r + 1) * w + c + 1] += weight(i);
    }
    for (let r = 1; r < w; r++)
      for (let c = 1; c < w; c++)
        table[r * w + c] += table[r * w + c - 1] + table[(r - 1) * w + c] - table[(r - 1) * w + c - 1];
    tables.set(key, table);
    return table;
  }
  function within(table, l, b, r, t) {
    const at = (x, y) => {
      const u = Math.max(0, Math.min(CELLS - 1e-9, (x - x0) / side * CELLS));
      const v = Math.max(0, Math.min(CELLS - 1e-9, (y - y0) / side * CELLS));
      const c = Math.floor(u), q = Math.floor(v), p = u - c, s = v - q, w = CELLS + 1, k = q * w + c;
      return (table[k] * (1 - p) + table[k + 1] * p) * (1 - s) + (table[k + w] * (1 - p) + table[k + w + 1] * p) * s;
    };
    return at(r, t) - at(l, t) - at(r, b) + at(l, b);
  }

  // Whether a name lies by its own points: on them most are its own, and it covers few of any.
  function fits(k, box, x, y) {
    const one = data.names[k], own = levels[one.level];
    const l = (box[0] - left) / scale, r = (box[0] + box[2] - left) / scale;
    const t = 1 - (box[1] - top) / scale, b = 1 - (box[1] + box[3] - top) / scale;
    const every = summed("all", () => 1), mine = within(summed(k, (i) => (own[i] === k ? 1 : 0)), l, b, r, t);
    const all = within(every, l, b, r, t), whole = Math.max(1, sizes[k]);
    const covered = within(summed("cover", (i) => (levels[0][i] >= 0 ? 1 / sizes[levels[0][i]] : 0)), l, b, r, t);
    const over = x >= box[0] && x <= box[0] + box[2] && y >= box[1] && y <= box[1] + box[3];
    const area = Math.max(1, (east - west) * (north - south) * scale * scale);
    const few = all - mine <= Math.max(0.5, 0.15 * every.at(-1) * Math.min(1, box[2] * box[3] / area));
    const most = mine >= 0.6 * all;
    return (over ? most && mine > 0 : most || few) && mine <= 0.5 * whole && covered - mine / whole <= 0.34;
  }

  function offsets(wide, tall, gaps) {
    const found = [[0, 0]];
    for (const part of [0.4, 0.8]) for (const s of [-1, 1]) found.push([0, s * tall * part]);
    for (const part of [0.25, 0.45]) for (const s of [-1, 1]) found.push([s * wide * part, 0]);
    for (const gap of gaps) {
      const up = tall / 2 + gap, out = wide / 2 + gap;
      found.push([0, -up], [0, up], [out, 0], [-out, 0]);
      for (const s of [-1, 1]) for (const t of [-1, 1]) found.push([s * wide * 0.32, t * up], [s * out, t * up * 0.75]);
    }
    return found;
  }

  const meet = (a, b) => a[0] < b[0] + b[2] + 4 && b[0] < a[0] + a[2] + 4 && a[1] < b[1] + b[3] + 4 && b[1] < a[1] + a[3] + 4;
  // On its own points, else beside them with a line to the place, else nowhere.
  function stand(k, x, y, wide, tall, gaps, w, h, taken) {
    for (const [across, down] of offsets(wide, tall, gaps)) {
      const box = [x + across - wide / 2, y + down - tall / 2, wide, tall];
      if (box[0] < 4 || box[1] < 4 || box[0] + wide > w - 4 || box[1] + tall > h - 4) continue;
      if (taken.some((one) => meet(box, one)) || (levels.length && !fits(k, box, x, y))) continue;
      const ex = Math.min(Math.max(x, box[0]), box[0] + wide), ey = Math.min(Math.max(y, box[1]), box[1] + tall);
      const line = Math.hypot(x - ex, y - ey) > 9 ? [ex, ey] : null;
      const steps = line ? [1, 0.8, 0.6, 0.4].map((s) => [ex + s * (x - ex) - 1, ey + s * (y - ey) - 1, 2, 2]) : [];
      if (steps.some((one) => taken.some((other) => meet(one, other)))) continue;
      taken.push(box, ...steps);
      return [box[0] + wide / 2, box[1] + tall / 2, line];
    }
    return null;
  }

  function pointer(line, x, y, style) {
    for (const [name, width] of [["--surface", 3.4], ["--text", 1.2]]) {
      draw.strokeStyle = style.getPropertyValue(name);
      draw.lineWidth = width;
      draw.beginPath();
      draw.moveTo(...line);
      draw.lineTo(x, y);
      draw.stroke();
    }
    draw.fillStyle = style.getPropertyValue("--text");
    draw.beginPath();
    draw.arc(x, y, 2.6, 0, 2 * Math.PI);
    draw.fill();
  }

  function names(w, h, style) {
    const deepest = data.names.reduce((most, one) => Math.max(most, one.level), 0);
    const zoom = scale / fit, level = Math.min(deepest, zoom < 2.2 ? 0 : zoom < 6 ? 1 : 2);
    const taken = [], written = [];
    draw.textAlign = "center";
    draw.textBaseline = "middle";
    draw.lineJoin = "round";
    data.names.forEach((one, k) => {
      // One without parts keeps its name when others are named by theirs.
      if (one.level !== level && (one.level > level || one.parts)) return;
      if (one.group >= 0 && !on[one.group]) return;
      const x = left + one.x * scale, y = top + (1 - one.y) * scale;
      if (x < 0 || x > w || y < 0 || y > h) return;
      draw.font = `600 ${one.level ? 12 : 13.5}px system-ui, sans-serif`;
      const comma = one.name.indexOf(", ");
      const forms = comma > 0 ? [one.name, one.name.slice(0, comma)] : [one.name];
      for (const [number, text] of forms.entries()) {
        const lines = folded2(text), gaps = number === forms.length - 1 ? [5, 16, 34, 58, 86] : [5, 16, 34];
        const wide = Math.max(...lines.map((line) => draw.measureText(line).width)) + 8;
        const place = stand(k, x, y, wide, lines.length * 16, gaps, w, h, taken);
        if (!place) continue;
        written.push(one.name);
        if (place[2]) pointer(place[2], x, y, style);
        draw.lineWidth = 4;
        draw.strokeStyle = style.getPropertyValue("--surface");
        draw.fillStyle = style.getPropertyValue("--text");
        const each = (act) => lines.forEach((line, at) => act(line, place[0], place[1] + (at - (lines.length - 1) / 2) * 16));
        each((...what) => draw.strokeText(...what));
        each((...what) => draw.fillText(...what));
        break;
      }
    });
    canvas.dataset.names = written.length;
    canvas.dataset.named = JSON.stringify(written);
  }

  function refresh() {
    if (asked) return;
    asked = true;
    requestAnimationFrame(paint);
  }

  function resize() {
    const box = canvas.getBoundingClientRect(), before = fit;
    ratio = window.devicePixelRatio || 1;
    canvas.width = Math.max(1, Math.round(box.width * ratio));
    canvas.height = Math.max(1, Math.round(box.height * ratio));
    fit = Math.max(10, Math.min((box.width - 32) / Math.max(east - west, 1e-6),
      (box.height - 48) / Math.max(north - south, 1e-6), 4 * Math.max(box.width, box.height)));
    if (scale === 1 || scale === before) home(); else refresh();
  }

  function home() {
    const box = canvas.getBoundingClientRect();
    scale = fit;
    left = box.width / 2 - (west + east) / 2 * scale;
    top = (box.height - 16) / 2 - (1 - (south + north) / 2) * scale;
    refresh();
  }

  function zoom(factor, x, y) {
    const to = Math.max(fit * 0.5, Math.min(fit * 400, scale * factor));
    left = x - (x - left) * (to / scale);
    top = y - (y - top) * (to / scale);
    scale = to;
    refresh();
  }

  // -- the card of a paper ------------------------------------------------------------------------
  function line(tag, text, parent) {
    const made = document.createElement(tag);
    made.textContent = text;
    made.dir = "auto";
    parent.append(made);
    return made;
  }

  function tell(i, x, y) {
    card.replaceChildren();
    card.hidden = i < 0;
    card.classList.toggle("pinned", i >= 0 && i === pinned);
    if (i < 0) return;
    line("b", data.titles[i] || "(no title)", card);
    if (data.authors[i]) line("span", data.authors[i], card);
    const where = [data.venues[data.venue[i]], data.years[i] || ""].filter(Boolean).join(", ");
    if (where) line("span", where, card);
    if (topic[i] >= 0) line("span", data.topics[topic[i]], card);
    line("span", data.groups[group[i]].name, card);
    if (data.dois[i] && i === pinned) {
      const link = line("a", `doi.org/${data.dois[i]}`, card);
      link.href = `https://doi.org/${encodeURI(data.dois[i])}`;
      link.target = "_blank";
      link.rel = "noopener noreferrer";
    }
    const box = canvas.getBoundingClientRect();
    card.style.left = `${Math.max(4, Math.min(x + 14, box.width - card.offsetWidth - 8))}px`;
    card.style.top = `${Math.max(4, Math.min(y + 14, box.height - card.offsetHeight - 8))}px`;
  }

  function pin(i) {
    pinned = i;
    tell(i, i < 0 ? 0 : px(i), i < 0 ? 0 : py(i));
    refresh();
  }

  // -- pointer and keys -----------------------------------------------------------------------------
  const pointers = new Map();
  let moved = 0;
  const local = (event) => {
    const box = canvas.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  };
  canvas.addEventListener("pointerdown", (event) => {
    pointers.set(event.pointerId, local(event));
    moved = 0;
    try { canvas.setPointerCapture(event.pointerId); } catch { /* no real pointer */ }
  });
  canvas.addEventListener("pointermove", (event) => {
    const [x, y] = local(event), held = pointers.get(event.pointerId);
    if (!held) {
      const found = at(x, y);
      canvas.classList.toggle("over", found >= 0);
      if (found !== over) { over = found; refresh(); }
      if (pinned < 0) tell(found, x, y);
      return;
    }
    const others = [...pointers].filter(([id]) => id !== event.pointerId);
    if (others.length) {
      const [ox, oy] = others[0][1];
      const far = (a, b) => Math.max(1, Math.hypot(a - ox, b - oy));
      zoom(far(x, y) / far(held[0], held[1]), (x + ox) / 2, (y + oy) / 2);
    } else {
      left += x - held[0];
      top += y - held[1];
      canvas.classList.add("dragging");
      refresh();
    }
    moved += Math.abs(x - held[0]) + Math.abs(y - held[1]);
    pointers.set(event.pointerId, [x, y]);
    if (pinned >= 0) tell(pinned, px(pinned), py(pinned)); else tell(-1);
  });
  for (const kind of ["pointerup", "pointercancel"])
    canvas.addEventListener(kind, (event) => {
      if (kind === "pointerup" && moved < 5 && pointers.size === 1) pin(at(...local(event)));
      pointers.delete(event.pointerId);
      canvas.classList.remove("dragging");
    });
  canvas.addEventListener("pointerleave", () => { over = -1; if (pinned < 0) tell(-1); refresh(); });
  canvas.addEventListener("wheel", (event) => {
    event.preventDefault();
    zoom(Math.exp(-Math.max(-60, Math.min(60, event.deltaY)) * 0.004), ...local(event));
    if (pinned >= 0) tell(pinned, px(pinned), py(pinned));
  }, { passive: false });
  const middle = () => { const b = canvas.getBoundingClientRect(); return [b.width / 2, b.height / 2]; };
  const keys = {
    "+": () => zoom(1.4, ...middle()), "=": () => zoom(1.4, ...middle()), "-": () => zoom(1 / 1.4, ...middle()),
    "0": home, ArrowLeft: () => { left += 60; refresh(); }, ArrowRight: () => { left -= 60; refresh(); },
    ArrowUp: () => { top += 60; refresh(); }, ArrowDown: () => { top -= 60; refresh(); }, Escape: () => pin(-1),
  };
  canvas.addEventListener("keydown", (event) => {
    if (keys[event.key] && !event.ctrlKey && !event.metaKey) { keys[event.key](); event.preventDefault(); }
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "/" && document.activeElement !== $("search")) { $("search").focus(); event.preventDefault(); }
  });

  // -- search -------------------------------------------------------------------------------------------
  function search() {
    query = folded($("search").value.trim());
    texts ??= data.titles.map((title, i) =>
      folded(`${title} ${data.authors[i]} ${data.venues[data.venue[i]]} ${data.years[i]} ${data.keys[i]}`));
    const words = query.split(/\s+/).filter(Boolean);
    hits = [];
    for (let i = 0; i < n; i++) {
      match[i] = words.every((word) => texts[i].includes(word)) ? 1 : 0;
      if (match[i] && words.length) hits.push(i);
    }
    const list = $("found");
    list.replaceChildren();
    for (const i of hits.slice(0, 40)) {
      const entry = document.createElement("li"), button = document.createElement("button");
      button.textContent = data.titles[i] || "(no title)";
      button.dir = "auto";
      line("small", [data.authors[i], data.years[i] || ""].filter(Boolean).join(", "), button);
      button.addEventListener("click", () => go(i));
      entry.append(button);
      list.append(entry);
    }
    if (words.length && !hits.length) line("li", "Nothing found.", list);
    canvas.dataset.hits = hits.length;
    refresh();
  }

  function go(i) {
    $("found").replaceChildren();
    scale = Math.max(scale, fit * 3);
    const [x, y] = middle();
    left = x - xy[2 * i] * scale;
    top = y - (1 - xy[2 * i + 1]) * scale;
    pin(i);
    canvas.focus();
  }
  const close = () => $("found").replaceChildren();
  $("search").addEventListener("input", search);
  $("search").addEventListener("click", search);
  document.addEventListener("pointerdown", (event) => {
    if (!event.target.closest(".search")) close();
  });
  $("search").addEventListener("keydown", (event) => {
    if (event.key === "Enter" && hits.length) go(hits[0]);
    if (event.key === "Escape" && $("found").children.length) close();
    else if (event.key === "Escape") { $("search").value = ""; search(); canvas.focus(); }
  });

  // -- legend, look ---------------------------------------------------------------------------------------
  // A paper with several values is shown with each, in the colour of the rarest that is shown.
  function regroup() {
    for (const [i, own] of Object.entries(data.several))
      group[i] = own.filter((g) => on[g]).at(-1) ?? own.at(-1);
  }
  const boxes = data.groups.map((one, g) => {
    const row = document.createElement("label"), box = document.createElement("input");
    box.type = "checkbox";
    box.checked = true;
    box.addEventListener("change", () => { on[g] = box.checked; regroup(); tables.clear(); refresh(); });
    const dot = document.createElement("span");
    dot.className = "swatch";
    row.append(box, dot);
    line("span", one.name, row);
    line("span", one.papers.toLocaleString("en"), row);
    $("legend").append(row);
    return [box, dot];
  });
  const all = (value) => () => {
    boxes.forEach(([box], g) => { box.checked = on[g] = value; });
    regroup();
    tables.clear();
    refresh();
  };
  $("all").addEventListener("click", all(true));
  $("none").addEventListener("click", all(false));
  function look(wanted) {
    dark = wanted;
    document.documentElement.dataset.theme = dark ? "dark" : "light";
    boxes.forEach(([, dot], g) => { dot.style.background = dark ? data.groups[g].dark : data.groups[g].light; });
    refresh();
  }
  $("theme").addEventListener("click", () => look(!dark));
  $("in").addEventListener("click", () => zoom(1.4, ...middle()));
  $("out").addEventListener("click", () => zoom(1 / 1.4, ...middle()));
  $("home").addEventListener("click", home);

  document.title = data.title;
  $("title").textContent = data.title;
  $("about").textContent = data.about;
  $("by").textContent = data.by;
  $("note").textContent = data.note;
  $("caption").textContent = data.caption;
  look(window.matchMedia && window.matchMedia("(prefers-color-scheme: dark)").matches);
  new ResizeObserver(resize).observe(canvas);
  resize();
})();
