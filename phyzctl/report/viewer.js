"use strict";
// Filters the findings, and draws robots: triangles into a buffer of depths, without a library.

const scenes = JSON.parse(document.getElementById("scenes").textContent);
const findings = [...document.querySelectorAll("#findings li")];
const filters = document.getElementById("filters");
const canvas = document.getElementById("view");

// Filters

function applyFilters() {
  const severities = new Set(
    [...filters.querySelectorAll("input[name=severity]:checked")].map((box) => box.value));
  const code = filters.elements.code.value;
  const words = filters.elements.text.value.toLowerCase().split(/\s+/).filter(Boolean);
  for (const item of findings) {
    const text = item.textContent.toLowerCase();
    item.hidden = !severities.has(item.dataset.severity)
      || (code !== "" && item.dataset.code !== code)
      || !words.every((word) => text.includes(word));
  }
}

if (filters) {
  filters.addEventListener("input", applyFilters);
  filters.addEventListener("submit", (event) => event.preventDefault());
}

// The view: a turn about the vertical and a tilt [rad], how far to look, and from where

const start = { turn: -0.9, tilt: 0.45, zoom: 1, shift: [0, 0] };
const view = { ...start, shift: [0, 0], scene: 0, role: "visual", parts: new Set(), joints: [] };

function shown(scene) {
  const has = scene.parts.some((part) => part.role !== "collision");
  const role = view.role === "visual" && !has ? "collision" : view.role;
  return scene.parts.map((part) => part.role === "both" || part.role === role);
}

function bounds(scene) {
  const low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity];
  const points = scene.parts.map((part) => part.vertices)
    .concat(Object.values(scene.joints).map((joint) => joint[0]));
  for (const list of points) {
    list.forEach((x, i) => {
      low[i % 3] = Math.min(low[i % 3], x);
      high[i % 3] = Math.max(high[i % 3], x);
    });
  }
  if (!(low[0] <= high[0])) return { centre: [0, 0, 0], radius: 1 };
  const centre = low.map((x, i) => 0.5 * (x + high[i]));
  const radius = 0.5 * Math.hypot(...low.map((x, i) => high[i] - x));
  return { centre, radius: radius || 0.1 };
}

// Pixels across, up, and depth towards the eye, of a point in the world.
function projector(scene) {
  const { centre, radius } = bounds(scene);
  const scale = view.zoom * 0.47 * Math.min(canvas.width, canvas.height) / radius;
  const [c, s] = [Math.cos(view.turn), Math.sin(view.turn)];
  const [ct, st] = [Math.cos(view.tilt), Math.sin(view.tilt)];
  return (x, y, z) => {
    const [px, py, pz] = [x - centre[0], y - centre[1], z - centre[2]];
    const across = -s * px + c * py, away = c * px + s * py;
    return [
      canvas.width / 2 + view.shift[0] + scale * across,
      canvas.height / 2 + view.shift[1] - scale * (ct * pz - st * away),
      scale * (ct * away + st * pz),
    ];
  };
}

const size = canvas ? canvas.width * canvas.height : 0;
const depths = new Float32Array(size), owners = new Int32Array(size);

function fill(image, corners, faces, owner, colour, lift) {
  for (let f = 0; f < faces.length; f += 3) {
    const [a, b, c] = [corners[faces[f]], corners[faces[f + 1]], corners[faces[f + 2]]];
    const [ux, uy, uz] = [b[0] - a[0], b[1] - a[1], b[2] - a[2]];
    const [vx, vy, vz] = [c[0] - a[0], c[1] - a[1], c[2] - a[2]];
    const area = ux * vy - uy * vx;
    if (Math.abs(area) < 1e-9) continue;
    const normal = [uy * vz - uz * vy, uz * vx - ux * vz, area];
    const facing = Math.abs(normal[2]) / Math.hypot(...normal);
    const tilted = Math.abs(normal[0] * 0.4 - normal[1] * 0.6) / Math.hypot(...normal);
    const light = 0.35 + 0.45 * facing + 0.2 * tilted;
    const left = Math.max(0, Math.ceil(Math.min(a[0], b[0], c[0])));
    const right = Math.min(canvas.width - 1, Math.floor(Math.max(a[0], b[0], c[0])));
    const top = Math.max(0, Math.ceil(Math.min(a[1], b[1], c[1])));
    const bottom = Math.min(canvas.height - 1, Math.floor(Math.max(a[1], b[1], c[1])));
    for (let y = top; y <= bottom; y++) {
      for (let x = left; x <= right; x++) {
        const q = ((x - a[0]) * vy - (y - a[1]) * vx) / area;
        const r = ((y - a[1]) * ux - (x - a[0]) * uy) / area;
        if (q < 0 || r < 0 || q + r > 1) continue;
        const at = y * canvas.width + x, depth = a[2] + q * uz + r * vz + lift;
        if (depth <= depths[at]) continue;
        depths[at] = depth;
        owners[at] = owner;
        for (let i = 0; i < 3; i++) image.data[4 * at + i] = colour[i] * light;
        image.data[4 * at + 3] = 255;
      }
    }
  }
}

function colourOf(index, scene) {
  if (view.parts.has(index)) return [255, 122, 0];
  if (view.parts.size || view.joints.length) return [196, 201, 210];
  const links = [...new Set(scene.parts.map((part) => part.link))];
  const hue = 2.4 * links.indexOf(scene.parts[index].link);
  return [0, 2.1, 4.2].map((shift) => 188 + 48 * Math.cos(hue + shift));
}

function line(pen, from, to, colour, width) {
  pen.strokeStyle = colour;
  pen.lineWidth = width;
  pen.beginPath();
  pen.moveTo(from[0], from[1]);
  pen.lineTo(to[0], to[1]);
  pen.stroke();
}

function drawJoint(pen, project, joint, reach) {
  const [at, axis] = joint;
  const from = project(...at);
  if (axis) {
    const end = (sign) => project(...at.map((x, i) => x + sign * reach * axis[i]));
    line(pen, end(-1), end(1), "#d32f2f", 3);
  }
  pen.fillStyle = "#d32f2f";
  pen.beginPath();
  pen.arc(from[0], from[1], 5, 0, 7);
  pen.fill();
}

function draw() {
  if (!scenes.length) return;
  const scene = scenes[view.scene], pen = canvas.getContext("2d"), visible = shown(scene);
  const image = pen.createImageData(canvas.width, canvas.height);
  const project = projector(scene);
  depths.fill(-Infinity);
  owners.fill(-1);
  scene.parts.forEach((part, index) => {
    const chosen = view.parts.has(index);
    if (!visible[index] && !chosen) return;
    const corners = [];
    for (let i = 0; i < part.vertices.length; i += 3) {
      corners.push(project(part.vertices[i], part.vertices[i + 1], part.vertices[i + 2]));
    }
    // What is chosen is seen through all else.
    fill(image, corners, part.faces, index, colourOf(index, scene), chosen ? 1e7 : 0);
  });
  pen.putImageData(image, 0, 0);
  const { radius } = bounds(scene);
  for (const name of view.joints) {
    if (scene.joints[name]) drawJoint(pen, project, scene.joints[name], 0.25 * radius);
  }
  const origin = project(...bounds(scene).centre), corner = [40, canvas.height - 40];
  [[1, 0, 0], [0, 1, 0], [0, 0, 1]].forEach((axis, i) => {
    const tip = project(...bounds(scene).centre.map((x, j) => x + axis[j]));
    const length = Math.hypot(...tip.map((x, j) => x - origin[j])) / 30;
    const end = [corner[0] + (tip[0] - origin[0]) / length, corner[1] + (tip[1] - origin[1]) / length];
    line(pen, corner, end, ["#d32f2f", "#2e7d32", "#1565c0"][i], 2);
  });
}

// Findings and parts

function choose(item) {
  findings.forEach((each) => each.classList.toggle("chosen", each === item));
  const known = item && item.dataset.scene !== "";
  view.parts = new Set(known ? JSON.parse(item.dataset.parts) : []);
  view.joints = known ? JSON.parse(item.dataset.joints) : [];
  if (known) {
    view.scene = Number(item.dataset.scene);
    document.getElementById("robot").value = item.dataset.scene;
  }
  if (canvas) draw();
}

function pick(x, y) {
  const owner = owners[Math.round(y) * canvas.width + Math.round(x)] ?? -1;
  const caption = document.getElementById("caption");
  if (owner < 0) {
    caption.textContent = "";
    choose(null);
    return;
  }
  const link = scenes[view.scene].parts[owner].link;
  const about = findings.filter((item) => item.dataset.scene === String(view.scene)
    && JSON.parse(item.dataset.parts).includes(owner));
  caption.textContent = `link '${link}': ${about.length || "no"} finding${about.length === 1 ? "" : "s"}`;
  choose(about.find((item) => !item.hidden) || null);
  if (about.length) about[0].scrollIntoView({ block: "nearest" });
  else {
    view.parts = new Set(scenes[view.scene].parts.flatMap((p, i) => (p.link === link ? [i] : [])));
    draw();
  }
}

for (const item of findings) {
  item.addEventListener("click", () => choose(item));
  item.addEventListener("keydown", (event) => { if (event.key === "Enter") choose(item); });
}

if (canvas) {
  let held = null, moved = 0;
  const inside = (event) => {
    const box = canvas.getBoundingClientRect(), factor = canvas.width / box.width;
    return [(event.clientX - box.left) * factor, (event.clientY - box.top) * factor];
  };
  canvas.addEventListener("pointerdown", (event) => {
    canvas.setPointerCapture(event.pointerId);
    [held, moved] = [inside(event), 0];
  });
  canvas.addEventListener("pointermove", (event) => {
    if (!held) return;
    const now = inside(event), step = [now[0] - held[0], now[1] - held[1]];
    moved += Math.hypot(...step);
    if (event.shiftKey) view.shift = view.shift.map((x, i) => x + step[i]);
    else {
      view.turn -= 0.008 * step[0];
      view.tilt = Math.max(-1.57, Math.min(1.57, view.tilt + 0.008 * step[1]));
    }
    held = now;
    draw();
  });
  canvas.addEventListener("pointerup", (event) => {
    if (held && moved < 4) pick(...inside(event));
    held = null;
  });
  canvas.addEventListener("wheel", (event) => {
    event.preventDefault();
    view.zoom = Math.max(0.1, Math.min(50, view.zoom * Math.exp(-0.0015 * event.deltaY)));
    draw();
  }, { passive: false });
  document.getElementById("robot").addEventListener("input", (event) => {
    choose(null);
    view.scene = Number(event.target.value);
    draw();
  });
  document.getElementById("role").addEventListener("input", (event) => {
    view.role = event.target.value;
    draw();
  });
  document.getElementById("reset").addEventListener("click", () => {
    Object.assign(view, start, { shift: [0, 0] });
    choose(null);
  });
  draw();
}
