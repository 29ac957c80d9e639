// Builds elements. Text goes in as text, never as markup, whatever it holds.

const SVG = "http://www.w3.org/2000/svg";

// An element with attributes (true: bare, false or null: left out) and children: nodes or text.
function el(name, attributes, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes || {})) {
    if (value === null || value === undefined || value === false) continue;
    made.setAttribute(key, value === true ? "" : String(value));
  }
  made.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return made;
}

// One of the page's signs; what it says stands beside it in words.
function icon(name) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("class", "icon");
  svg.setAttribute("aria-hidden", "true");
  const use = document.createElementNS(SVG, "use");
  use.setAttribute("href", `#i-${name}`);
  svg.append(use);
  return svg;
}

const unseen = (text) => el("span", { class: "hidden" }, text);
const count = (n) => n.toLocaleString("en-US");

// Text with its marked parts: `spans` are [start, end) in the string's own units, ascending.
function marked(text, spans) {
  const parts = [];
  let end = 0;
  for (const [first, last] of spans || []) {
    parts.push(text.slice(end, first), el("mark", null, text.slice(first, last)));
    end = last;
  }
  parts.push(text.slice(end));
  return parts;
}

// A longer text, clipped to some lines until it is asked for in full.
function textBlock(text, spans, kind) {
  const body = el("div", { class: "text-block", dir: "auto" }, marked(text, spans));
  if (text.length < 420 && text.split("\n").length < 7) return el("div", { class: kind }, body);
  body.classList.add("clip");
  const button = el("button", { type: "button", class: "plain toggle", "aria-expanded": "false" }, "Show all");
  button.addEventListener("click", () => {
    const clipped = body.classList.toggle("clip");
    button.setAttribute("aria-expanded", String(!clipped));
    button.textContent = clipped ? "Show all" : "Show less";
  });
  return el("div", { class: kind }, body, button);
}
