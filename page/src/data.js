/** What Python put into the page: plain data, columns of numbers, and texts in compressed blocks. */

/** @typedef {string | string[]} Text text, or tokens */
/** @typedef {{systems: Text[][], references: Text[][], source?: string[], names?: string[],
 *   tokens?: {systems: string[][][], references: string[][][]}}} Block */

/** @returns {any} */
export function plain() {
  const data = JSON.parse(text("data"));
  return data.variant ? { ...data, ...withNaN(data) } : data;
}

/**
 * Return the two levels of a variant, in which JSON has no NaN.
 * @param {import("./chosen.js").Levels} levels @returns {import("./chosen.js").Levels}
 */
function withNaN({ variant, sentence }) {
  const [both, own] = [variant, sentence].map((level) => ({ ...level, empty_score: level.empty_score ?? NaN }));
  return { variant: both, sentence: own };
}

/** @returns {Promise<Record<string, import("./chosen.js").Levels>>} the named variants */
export async function variants() {
  const named = await (await opened("variants")).json();
  return Object.fromEntries(Object.entries(named).map(([name, levels]) => [name, withNaN(levels)]));
}

/** @param {string} id the text of a script element, which is removed, so that it is held once */
function text(id) {
  const element = document.getElementById(id);
  const content = element?.textContent ?? "";
  element?.remove();
  return content;
}

/** @param {string} id */
async function opened(id) {
  const stream = new Blob([bytes(text(id))]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream);
}

/** @param {string} base64 @returns {any} */
function bytes(base64) {
  if ("fromBase64" in Uint8Array) return /** @type {any} */ (Uint8Array).fromBase64(base64);
  const decoded = atob(base64);
  const made = new Uint8Array(decoded.length);
  for (let place = 0; place < made.length; place += 1) made[place] = decoded.charCodeAt(place);
  return made;
}

const TYPES = { u1: Uint8Array, u2: Uint16Array, u4: Uint32Array, f8: Float64Array };

/**
 * @param {{name: string, type: keyof typeof TYPES, start: number, length: number}[]} places
 * @returns {Promise<Record<string, Uint8Array | Uint16Array | Uint32Array | Float64Array>>}
 */
export async function columns(places) {
  const buffer = await (await opened("arrays")).arrayBuffer();
  return Object.fromEntries(
    places.map(({ name, type, start, length }) => [name, new TYPES[type](buffer, start, length)]),
  );
}

/** The texts of segments: opened block by block, and kept. */
export class Texts {
  /**
   * @param {number} segments @param {number} size how many segments a block has
   * @param {(block: number) => Promise<Block>} [read]
   */
  constructor(segments, size, read = (block) => opened(`texts-${block}`).then((response) => response.json())) {
    this.segments = segments;
    this.read = read;
    this.size = size;
    this.number = Math.ceil(segments / size);
    /** @type {(Block | undefined)[]} */
    this.blocks = new Array(this.number);
    /** @type {(Promise<Block> | undefined)[]} */
    this.opening = new Array(this.number);
  }

  /** @param {number} block @returns {Promise<Block>} */
  open(block) {
    this.opening[block] ??= this.read(block).then((content) => (this.blocks[block] = content));
    return this.opening[block];
  }

  /** @param {import("./edits.js").Edits} edits the same texts with other outputs */
  edited(edits) {
    return new Texts(this.segments, this.size, async (number) => {
      const block = await this.open(number);
      const first = number * this.size;
      const systems = block.systems.map((texts, system) => texts.map((text, place) => edits.get(system)?.get(first + place) ?? text));
      return { ...block, systems };
    });
  }

  /** Open all blocks, one after the other, leaving time for what the reader does. */
  async openAll() {
    for (let block = 0; block < this.number; block += 1) {
      if (this.blocks[block]) continue;
      await this.open(block);
      await pause();
    }
  }

  /** @param {number} segment whether its text is there already */
  has(segment) {
    return this.blocks[Math.floor(segment / this.size)] !== undefined;
  }

  /** @param {number} segment */
  async of(segment) {
    await this.open(Math.floor(segment / this.size));
    return this.at(segment);
  }

  /** @param {number} segment of a block that is open */
  at(segment) {
    const block = this.blocks[Math.floor(segment / this.size)];
    if (!block) throw new Error(`segment ${segment} is not open`);
    const place = segment % this.size;
    return {
      source: block.source?.[place],
      name: block.names?.[place],
      references: block.references[place],
      systems: block.systems.map((texts) => texts[place]),
      tokens: block.tokens && {
        references: block.tokens.references[place],
        systems: block.tokens.systems.map((texts) => texts[place]),
      },
    };
  }
}

/** Let the browser draw, and answer what the reader did. */
export function pause() {
  return new Promise((resolve) => {
    const channel = new MessageChannel();
    channel.port1.onmessage = () => resolve(undefined);
    channel.port2.postMessage(0);
  });
}

/** @param {Text} text */
export function asText(text) {
  return typeof text === "string" ? text : text.join(" ");
}
