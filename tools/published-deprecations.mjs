import { execFileSync } from "node:child_process";

/**
 * Prints the deprecations that upstream publishes, one line for each kind and text: the first and the last release with the
 * warning, then the warning. Arguments: clones of kubernetes/api, kubernetes/kube-aggregator and
 * kubernetes/apiextensions-apiserver, with their release branches.
 */
const firstMinor = 19;
const lastMinor = 36;

/** @param {string} clone @param {string[]} args */
function git(clone, ...args) {
  return execFileSync("git", ["-C", clone, ...args], { encoding: "utf8", maxBuffer: 1 << 28 });
}

/** @param {string} clone @param {string} branch @returns {Iterable<[kind: string, warning: string]>} */
function* deprecations(clone, branch, minor) {
  const files = git(clone, "ls-tree", "-r", "--name-only", branch)
    .split("\n")
    .filter((file) => /(prerelease-lifecycle|\/lifecycle)\.go$/.test(file));
  for (const file of files) {
    const directory = file.slice(0, file.lastIndexOf("/"));
    const register = git(clone, "show", `${branch}:${directory}/register.go`);
    const group = /GroupName\s*=\s*"([^"]*)"/.exec(register)?.[1] ?? groupOf(directory);
    const gv = (group === "" ? "" : `${group}/`) + directory.slice(directory.lastIndexOf("/") + 1);
    const source = git(clone, "show", `${branch}:${file}`);
    for (const [, kind = ""] of source.matchAll(/func \(in \*(\w+)\) APILifecycleDeprecated/g)) {
      const [deprecated, removed] = ["Deprecated", "Removed"].map((what) => releaseIn(source, kind, what));
      if (deprecated === undefined || deprecated > minor) continue;
      const until = removed === undefined ? "" : `, unavailable in v1.${removed}+`;
      yield [
        `${gv} ${kind}`,
        `${gv} ${kind} is deprecated in v1.${deprecated}+${until}${replacementIn(source, kind)}`,
      ];
    }
  }
}

/** @param {string} source @param {string} kind @param {string} what */
function releaseIn(source, kind, what) {
  const pattern = `\\*${kind}\\) APILifecycle${what}\\(\\) \\(major, minor int\\) \\{\\s*return 1, (\\d+)`;
  const minor = new RegExp(pattern).exec(source)?.[1];
  return minor === undefined ? undefined : Number(minor);
}

/** @param {string} source @param {string} kind */
function replacementIn(source, kind) {
  const pattern = `\\*${kind}\\) APILifecycleReplacement\\(\\)[^{]*\\{\\s*return schema.GroupVersionKind\\{Group: "([^"]*)", Version: "([^"]*)", Kind: "([^"]*)"`;
  const match = new RegExp(pattern).exec(source);
  if (match === null) return "";
  const [, group = "", version = "", replacement = ""] = match;
  return `; use ${group === "" ? "" : `${group}/`}${version} ${replacement}`;
}

/** The groups whose packages get their name from elsewhere. @param {string} directory */
function groupOf(directory) {
  if (directory.includes("apiregistration")) return "apiregistration.k8s.io";
  return directory.includes("apiextensions") ? "apiextensions.k8s.io" : "";
}

/** @type {Map<string, [first: number, last: number]>} */
const spans = new Map();
for (const clone of process.argv.slice(2)) {
  for (let minor = firstMinor; minor <= lastMinor; minor++) {
    for (const [kind, warning] of deprecations(clone, `release-1.${minor}`, minor)) {
      if (kind.endsWith("List")) continue;
      const span = spans.get(warning);
      if (span === undefined) spans.set(warning, [minor, minor]);
      else span[1] = minor;
    }
  }
}
const lines = [...spans].map(([warning, [first, last]]) => `1.${first} 1.${last} ${warning}`);
console.log(lines.sort((a, b) => (a.slice(10) < b.slice(10) ? -1 : 1)).join("\n"));
