/** Charts as files: the SVG as it is, or what it looks like on white as PNG. */
import { download } from "../exporting.js";

/** How many pixels of a PNG there are for one of the screen: enough to print. */
const SCALE = 3;

/** @param {SVGElement} svg */
function text(svg) {
  return new XMLSerializer().serializeToString(svg);
}

/** @param {string} name @param {SVGElement} svg */
export function saveSvg(name, svg) {
  download(`${name}.svg`, "image/svg+xml", text(svg));
}

/** @param {string} name @param {SVGElement} svg */
export async function savePng(name, svg) {
  const address = URL.createObjectURL(new Blob([text(svg)], { type: "image/svg+xml" }));
  const image = new Image();
  image.src = address;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = SCALE * Number(svg.getAttribute("width"));
  canvas.height = SCALE * Number(svg.getAttribute("height"));
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  context.fillStyle = "#ffffff";
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  URL.revokeObjectURL(address);
  const blob = await new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
  download(`${name}.png`, "image/png", blob);
}
