// The blocks of data that come with the page: compressed, and read when they are
// looked at. They lie in the page, or in files beside it.

const FOLDER = document.querySelector("meta[name=blocks]").content; // "" where the blocks lie in the page
const KEPT = 12; // blocks kept as they were read

const blocks = new Map(); // promises of values, the one last asked for at the end
const arriving = new Map(); // what to do with a file's text when it comes, by the block's name
const whole = new Promise((done) => (document.readyState === "loading" ? addEventListener("DOMContentLoaded", done) : done()));

// readBlock is the value of a block.
function readBlock(name) {
  const value = blocks.get(name) || unpacked(name);
  blocks.delete(name);
  blocks.set(name, value);
  if (blocks.size > KEPT) blocks.delete(blocks.keys().next().value);
  return value;
}

async function unpacked(name) {
  const bytes = Uint8Array.from(atob(await packed(name)), (c) => c.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).json();
}

async function packed(name) {
  if (FOLDER) return fromFile(name);
  await whole;
  const block = document.getElementById(name);
  if (!block) throw new Error(`the page lacks its block ${name}`);
  return block.textContent;
}

// fromFile reads a block with a script element, the only way from disk to a page
// that was opened from disk.
function fromFile(name) {
  return new Promise((done, fail) => {
    const script = h("script", { src: FOLDER + name + ".js" });
    arriving.set(name, done);
    script.addEventListener("load", () => script.remove());
    script.addEventListener("error", () => fail(new Error(`the file ${FOLDER}${name}.js is missing: keep the folder beside the page`)));
    document.head.append(script);
  });
}

// block is what such a file calls.
function block(name, text) {
  const done = arriving.get(name);
  arriving.delete(name);
  if (done) done(text);
}

// valueOf is the value with a number in one of several blocks; undefined where
// there is none.
async function valueOf(kind, number, key) {
  return number ? (await readBlock(`${kind}-${number}`))[key] : undefined;
}
