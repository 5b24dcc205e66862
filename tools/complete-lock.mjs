// `node tools/complete-lock.mjs` after `npm install`: adds an entry to package-lock.json for every optional package,
// mainly those of other platforms. With a registry that mirrors only part of the public one, npm omits them, and
// then `npm ci` rejects the lock file everywhere. With `--check` it only lists what is missing.
import { readFileSync, writeFileSync } from "node:fs";

const path = "package-lock.json";
const lock = JSON.parse(readFileSync(path, "utf8"));
const packages = lock.packages;
const missing = [];

for (const [parent, { optionalDependencies = {}, dev }] of Object.entries({ ...packages })) {
  for (const [name, version] of Object.entries(optionalDependencies)) {
    if (!/^\d/.test(version)) continue;
    const found = placeOf(parent, name);
    if (found !== undefined && packages[found].version === version) continue;
    const at = `${found === undefined ? "" : `${parent}/`}node_modules/${name}`;
    missing.push(at);
    packages[at] = { version, ...platformOf(name), ...(dev ? { dev } : {}), optional: true };
  }
}

if (process.argv.includes("--check")) {
  for (const at of missing) console.log(at);
  process.exit(missing.length === 0 ? 0 : 1);
}
const sorted = Object.entries(packages).sort(([a], [b]) => a.localeCompare(b, "en"));
lock.packages = Object.fromEntries(sorted);
writeFileSync(path, `${JSON.stringify(lock, null, 2)}\n`);

/** Where Node would find a package, resolved from another. */
function placeOf(parent, name) {
  for (let from = parent; ; from = from.slice(0, Math.max(0, from.lastIndexOf("/node_modules/")))) {
    const place = `${from === "" ? "" : `${from}/`}node_modules/${name}`;
    if (packages[place] !== undefined) return place;
    if (from === "") return undefined;
  }
}

/** The fields that keep npm from fetching it from another place, by the usual parts of the name. */
function platformOf(name) {
  const parts = name.split(/[/-]/);
  const one = (words) => words.find((word) => parts.includes(word));
  const cpu = one(["arm64", "x64", "ia32", "arm", "ppc64", "riscv64", "s390x", "loong64", "wasm32"]);
  const os = one(["android", "darwin", "freebsd", "linux", "openharmony", "win32"]);
  const libc = parts.some((part) => part.startsWith("musl")) ? "musl" : one(["gnu", "gnueabihf"]) && "glibc";
  return {
    ...(cpu === undefined ? {} : { cpu: [cpu] }),
    ...(os === undefined ? {} : { os: [os] }),
    ...(os === "linux" && libc !== undefined ? { libc: [libc] } : {}),
  };
}
