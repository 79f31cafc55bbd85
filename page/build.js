/** Build the page, one HTML file into which Python puts data, and the script and style of the site. `npm run build` */
import { createHash } from "node:crypto";
import { readFile, readdir, writeFile } from "node:fs/promises";
import { build } from "esbuild";
import { COMPONENTS } from "./src/bleu/bleu.js";

const TARGET = new URL("../bleukit/reporting/page.html", import.meta.url);
const SITE = new URL("../docs/_static/", import.meta.url);
const here = (path) => new URL(path, import.meta.url);
const sha256 = (text, encoding) => createHash("sha256").update(text).digest(encoding);
const escaped = (text) => text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");

/** A checksum of all that the page is made from: of lines "checksum path", in the order of the paths. */
async function sources() {
  const listed = await readdir(here("src/"), { recursive: true, withFileTypes: true });
  const folder = new URL(here("src/")).pathname;
  const paths = listed.filter((each) => each.isFile()).map((each) => `${each.parentPath}/${each.name}`.replace("//", "/").slice(folder.length));
  const all = ["build.js", "package-lock.json", ...paths.map((path) => `src/${path}`)].sort();
  const lines = await Promise.all(all.map(async (path) => `${sha256(await readFile(here(path)), "hex")} ${path}\n`));
  return sha256(lines.join(""), "hex");
}

async function bundled(entry) {
  const options = { bundle: true, minify: true, charset: "utf8", target: "es2022", legalComments: "none", write: false, metafile: true };
  const { outputFiles, metafile } = await build({ ...options, entryPoints: [here(entry).pathname], format: "iife" });
  const text = outputFiles[0].text.trim().replaceAll("</script", "<\\/script").replaceAll("<!--", "<\\!--");
  const packages = Object.keys(metafile.inputs).flatMap((path) => path.match(/node_modules\/((@[^/]+\/)?[^/]+)\//)?.[1] ?? []);
  return { text, packages: [...new Set(packages)].sort() };
}

/** The licence of the page, and those of the packages that are part of it. */
async function licences(packages) {
  const own = await readFile(here("../LICENSE"), "utf8");
  const others = packages.map(async (name) => `\n${name}\n\n${await readFile(here(`node_modules/${name}/LICENSE`), "utf8")}`);
  return [own, ...(await Promise.all(others))].join("\n");
}

async function written(target, text) {
  await writeFile(target, text);
  console.log(`${target.pathname}: ${text.length} bytes`);
}

const { text: script, packages } = await bundled("src/main.js");
const { text: style } = await bundled("src/style.css");
const parts = {
  "script-hash": `'sha256-${sha256(script, "base64")}'`,
  "style-hash": `'sha256-${sha256(style, "base64")}'`,
  sources: await sources(),
  components: escaped(JSON.stringify(COMPONENTS)),
  licence: await licences(packages),
  script,
  style,
};
const template = await readFile(here("src/template.html"), "utf8");
await written(TARGET, template.replace(/\{([a-z-]+)\}/g, (_, name) => parts[name]));
const sum = `/* sources ${parts.sources} */\n`;
await written(new URL("bleukit.js", SITE), `${sum}${(await bundled("src/site/main.js")).text}\n`);
await written(new URL("bleukit.css", SITE), `${sum}${(await bundled("src/site/style.css")).text}\n`);
