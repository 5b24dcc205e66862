/*
 * The names of a service whose own name is masked: `svc` stands where Kubernetes has `kubernetes`, `k8s` or `kube` at the start of a word.
 * One rule makes the masks. What a mask stands for depends on its surroundings: the table below.
 */

/** A word starts after what is neither a letter nor a digit, or after an escape in a URL. So base64 data contains next to no names. */
const realName = /(?:(?<![A-Za-z0-9])|(?<=%[0-9A-Fa-f]{2}))(kubernetes|k8s(?![A-Za-z0-9])|kube)/gi;
const mask = /(?:(?<![A-Za-z0-9])|(?<=%[0-9A-Fa-f]{2}))svc/gi;

/** What a mask stands for: the first row counts whose expressions fit. */
interface Meaning {
  /** Fits what is directly before the mask in its domain or word: letters, digits, dots and hyphens. */
  readonly prefix: RegExp;
  readonly after: RegExp;
  /** Fits what is before the prefix. Default: anything. */
  readonly lead?: RegExp;
  readonly real: "kubernetes" | "k8s" | "kube";
}

const whole = /^$/;
/** The parts of a domain before its last two. */
const anySubdomain = /^([a-z0-9-]+\.)*$/i;

/** Domains that end in `k8s.io` in every place: API groups whose words no label has, and addresses of the project. */
const groups =
  /^([a-z0-9-]+\.)*(meta|events|authorization|certificates|networking|storage|admissionregistration|apiextensions|apiregistration|scheduling|coordination|discovery|flowcontrol|(internal|flowcontrol)\.apiserver|storagemigration|admission|audit|apidiscovery|metrics|imagepolicy|registry|sigs|dl|channel)\.$/i;

/** The last part of a domain. In URLs, JSON pointers and selectors, the slash after it has other forms. */
const io = /^\.io(?![a-z0-9.-])/i;
const ioVersion = /^\.io(\/|~1|%2f)v\d/i;
const ioKey = /^\.io(\/|~1|%2f)[a-z0-9]/i;

/** A mask that fits no row is a word of the client, such as the name of a Service. */
const meanings: readonly Meaning[] = [
  // Media types, headers and extensions of OpenAPI, names of Go types, groups of the community.
  { prefix: /^vnd\.$/i, after: /^\./, real: "kubernetes" },
  { prefix: /(^|\.)x-$/i, after: /^-/, real: "kubernetes" },
  { prefix: /^([a-z0-9-]+\.)*x-$/i, after: io, real: "k8s" },
  { prefix: /^base64url\.bearer\.authorization\.$/, after: /^\.io\./, real: "k8s" },
  { prefix: /^io\.$/, after: /^\./, real: "k8s" },
  // API groups: with a version, in a path, and those whose words no label has.
  { prefix: anySubdomain, after: ioVersion, real: "k8s" },
  { lead: /\/apis\/$/, prefix: anySubdomain, after: io, real: "k8s" },
  { prefix: /^rbac\.authorization\.$/, after: /^\.io(\/|~1|%2f)autoupdate/i, real: "kubernetes" },
  { prefix: groups, after: io, real: "k8s" },
  { prefix: whole, after: /^\.io\/(initial-events-end|deprecated|removed-release)/, real: "k8s" },
  // Packages of Go in messages.
  { prefix: whole, after: /^\.io\/(kubernetes|svc)\/pkg\//, real: "k8s" },
  { lead: /\b(k8s|svc)\.io\/$/, prefix: whole, after: /^\/pkg\//, real: "kubernetes" },
  // Labels, annotations, finalizers and signers. A domain without a key is a group, except for these few.
  { prefix: anySubdomain, after: ioKey, real: "kubernetes" },
  { prefix: /^(api-approved\.|node-restriction\.|kubelet\.|svclet\.)?$/, after: io, real: "kubernetes" },
  { prefix: anySubdomain, after: io, real: "k8s" },
  // Metrics.
  {
    prefix: whole,
    after: /^_(build_info|feature_enabled|healthchecks?|api_approval)(?![a-z])/,
    real: "kubernetes",
  },
  { prefix: whole, after: /^_apiserver_/, real: "kube" },
  // The Service of the API server, and built-in names with a hyphen.
  { prefix: whole, after: /^\.default\.svc\b/, real: "kubernetes" },
  {
    lead: /\/namespaces\/default\/(services|endpoints)\/$/,
    prefix: whole,
    after: /^([/?]|$)/,
    real: "kubernetes",
  },
  // The finalizer of namespaces is a word alone.
  {
    lead: /\bfinalizers["']?:\s*(\[|-)?\s*["']?$/,
    prefix: whole,
    after: /^(["'\s\],]|$)/,
    real: "kubernetes",
  },
  { lead: /\bservice-name(=|%3D)$/i, prefix: whole, after: /^([&,]|%2C|$)/i, real: "kubernetes" },
  {
    prefix: /^([a-z0-9.-]*[.-])?$/i,
    after:
      /^-(system|public|node-lease|root-ca|apiserver|controller-manager|scheduler|proxy|dns|api-access|aggregator)(?![a-z])/,
    real: "kube",
  },
  { prefix: /^([a-z0-9.-]*[.-])?$/i, after: /^(let|ctl|adm|config|Proxy)/, real: "kube" },
];

/** How much before and after a mask counts. */
const reach = 80;

/** The text with masks for the names of Kubernetes. */
export function masked(text: string): string {
  return text.replace(realName, (name) => inCaseOf(name, "svc"));
}

/** The text with the real names for masks. */
export function unmasked(text: string): string {
  return text.replace(mask, (found, at: number) => {
    const meaning = meaningAt(text, at, at + found.length);
    return meaning === undefined ? found : inCaseOf(found, meaning.real);
  });
}

function meaningAt(text: string, start: number, end: number): Meaning | undefined {
  const after = text.slice(end, end + reach);
  const prefixStart = startOfWord(text, start);
  const prefix = text.slice(prefixStart, start).replace(/^\.+/, "");
  const lead = text.slice(Math.max(0, prefixStart - reach), prefixStart);
  return meanings.find(
    (row) => row.prefix.test(prefix) && row.after.test(after) && (row.lead?.test(lead) ?? true),
  );
}

/** Where the domain or word that goes on at `end` starts, as far as it counts. */
function startOfWord(text: string, end: number): number {
  let start = end;
  while (start > 0 && end - start < reach && isPartOfWord(text.charCodeAt(start - 1))) start--;
  // The two digits of an escape are no part of it.
  return text[start - 1] === "%" ? Math.min(start + 2, end) : start;
}

function isPartOfWord(code: number): boolean {
  const lower = code | 0x20;
  return (lower >= 0x61 && lower <= 0x7a) || (code >= 0x30 && code <= 0x39) || code === 0x2e || code === 0x2d;
}

/** A name in the case of another: headers are written `X-Kubernetes-...`. */
function inCaseOf(model: string, name: string): string {
  if (model === model.toLowerCase()) return name;
  return model === model.toUpperCase() ? name.toUpperCase() : `${name[0]?.toUpperCase()}${name.slice(1)}`;
}
