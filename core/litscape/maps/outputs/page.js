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

  // At its place, else a little above, below or aside, and whole within what is seen.
  const STEPS = [[0, 0], [0, -1], [0, 1], [0.6, 0], [-0.6, 0], [0, -1.8], [0, 1.8], [0.6, -1.2],
    [-0.6, -1.2], [0.6, 1.2], [-0.6, 1.2], [1, 0], [-1, 0]];
  function stand(x, y, wide, tall, w, h, taken) {
    for (const [across, down] of STEPS) {
      const ax = Math.min(Math.max(x + across * wide, wide + 4), w - wide - 4);
      const ay = Math.min(Math.max(y + down * tall * 1.1, tall + 4), h - tall - 4);
      if (!taken.some((t) => Math.abs(t[0] - ax) < t[2] + wide && Math.abs(t[1] - ay) < t[3] + tall))
        return [ax, ay, wide, tall];
    }
    return null;
  }

  function names(w, h, style) {
    const deepest = data.names.reduce((most, one) => Math.max(most, one.level), 0);
    const zoom = scale / fit, level = Math.min(deepest, zoom < 2.2 ? 0 : zoom < 6 ? 1 : 2);
    const taken = [], written = [];
    draw.textAlign = "center";
    draw.textBaseline = "middle";
    draw.lineJoin = "round";
    for (const one of data.names) {
      // One without parts keeps its name when others are named by theirs.
      if (one.level !== level && (one.level > level || one.parts)) continue;
      if (one.group >= 0 && !on[one.group]) continue;
      const x = left + one.x * scale, y = top + (1 - one.y) * scale;
      if (x < 0 || x > w || y < 0 || y > h) continue;
      draw.font = `600 ${one.level ? 12 : 13.5}px system-ui, sans-serif`;
      const lines = folded2(one.name);
      const wide = Math.max(...lines.map((text) => draw.measureText(text).width)) / 2 + 6;
      const place = stand(x, y, wide, lines.length * 8.5, w, h, taken);
      if (!place) continue;
      taken.push(place);
      written.push(one.name);
      draw.lineWidth = 4;
      draw.strokeStyle = style.getPropertyValue("--surface");
      draw.fillStyle = style.getPropertyValue("--text");
      const each = (act) => lines.forEach((text, k) => act(text, place[0], place[1] + (k - (lines.length - 1) / 2) * 16));
      each((...what) => draw.strokeText(...what));
      each((...what) => draw.fillText(...what));
    }
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
    fit = Math.max(10, Math.min(box.width, box.height) * 0.92);
    if (scale === 1 || scale === before) home(); else refresh();
  }

  function home() {
    const box = canvas.getBoundingClientRect();
    scale = fit;
    left = (box.width - scale) / 2;
    top = (box.height - scale) / 2;
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
    box.addEventListener("change", () => { on[g] = box.checked; regroup(); refresh(); });
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
  look(window.matchMedia && window.matchMedia("(prefers-color-scheme: dark)").matches);
  new ResizeObserver(resize).observe(canvas);
  resize();
})();
