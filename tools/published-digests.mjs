// `node tools/published-digests.mjs DIRECTORY > test/oracles/published/digests.txt`, with a clone of kubernetes/api: writes a
// line for each kind and release from 1.27 on whose published objects changed, with the beginnings of the SHA-256 digests of
// the JSON, YAML and protobuf; a line without digests ends a kind.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";

const [directory] = process.argv.slice(2);
if (directory === undefined) throw new Error("usage: node tools/published-digests.mjs DIRECTORY");

const git = (...args) => execFileSync("git", ["-C", directory, ...args], { maxBuffer: 1 << 28 });
const digest = (bytes) => createHash("sha256").update(bytes).digest("hex").slice(0, 12);

const latest = new Map();
const lines = [];
for (let minor = 27; minor <= 36; minor += 1) {
  const tree = `v0.${minor}.0:testdata/HEAD`;
  const files = new Set(String(git("ls-tree", "--name-only", tree)).split("\n"));
  const kinds = [...files]
    .filter((file) => file.endsWith(".json"))
    .map((file) => file.replace(/\.json$/, ""));
  const add = (kind, text) => {
    if (latest.get(kind) === text) return;
    latest.set(kind, text);
    lines.push(`${kind} 1.${minor}${text}`);
  };
  for (const kind of kinds) {
    const digests = ["json", "yaml", "pb"].map((type) => digest(git("show", `${tree}/${kind}.${type}`)));
    add(kind, ` ${digests.join(" ")}`);
  }
  for (const kind of latest.keys()) if (!kinds.includes(kind)) add(kind, "");
}
console.log(lines.sort().join("\n"));
