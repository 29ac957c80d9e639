// What the page holds: the table's columns at once, long texts in blocks that open when needed.

const page = JSON.parse(document.getElementById("data").textContent);

// Blocks that were opened last, as promises of their values; older ones are let go.
const opened = new Map();
const KEPT = 24;

// The whole page is there: its last parts are the blocks.
const complete = new Promise((done) => {
  if (document.readyState !== "loading") done();
  else document.addEventListener("DOMContentLoaded", done, { once: true });
});

// The values of block `at` of a kind (`cases` or `texts`): base64 of gzip of a JSON list.
async function unpack(id) {
  if (!document.getElementById(id)?.nextElementSibling) await complete;
  const packed = atob(document.getElementById(id).textContent);
  const bytes = Uint8Array.from(packed, (character) => character.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).json();
}

function block(kind, at) {
  const id = `${kind}-${at}`;
  if (!opened.has(id)) {
    opened.set(id, unpack(id));
    if (opened.size > KEPT) opened.delete(opened.keys().next().value);
  }
  return opened.get(id);
}

// Value number `at` of a kind, whose blocks begin at the numbers in `starts`.
async function packed(kind, starts, at) {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (starts[middle] <= at) low = middle;
    else high = middle - 1;
  }
  const values = await block(kind, low);
  return values[at - starts[low]];
}

const caseOf = (question) => packed("cases", page.cases, question);
const longText = (number) => packed("texts", page.long, number);
