/** The labels of Kubernetes that a kubelet sets. Upstream: kubelet, pkg/apis/well_known_labels.go. */
const kubeletLabels: ReadonlySet<string> = new Set([
  "kubernetes.io/hostname",
  "kubernetes.io/arch",
  "kubernetes.io/os",
  "beta.kubernetes.io/instance-type",
  "node.kubernetes.io/instance-type",
  "failure-domain.beta.kubernetes.io/region",
  "failure-domain.beta.kubernetes.io/zone",
  "topology.kubernetes.io/region",
  "topology.kubernetes.io/zone",
  "beta.kubernetes.io/arch",
  "beta.kubernetes.io/os",
]);

type Labels = { readonly [key: string]: string };

/** The labels that a node must not add, change or remove, sorted. */
export function forbiddenNodeLabels(labels: Labels, old: Labels): readonly string[] {
  const keys = new Set([...Object.keys(labels), ...Object.keys(old)]);
  return [...keys].filter((key) => labels[key] !== old[key] && isForbidden(key)).sort();
}

function isForbidden(key: string): boolean {
  const slash = key.indexOf("/");
  const domain = slash < 0 ? "" : key.slice(0, slash);
  if (isWithin(domain, "node-restriction.kubernetes.io")) return true;
  return (isWithin(domain, "kubernetes.io") || isWithin(domain, "k8s.io")) && !isKubeletLabel(key, domain);
}

function isKubeletLabel(key: string, domain: string): boolean {
  if (kubeletLabels.has(key)) return true;
  return isWithin(domain, "kubelet.kubernetes.io") || isWithin(domain, "node.kubernetes.io");
}

function isWithin(domain: string, parent: string): boolean {
  return domain === parent || domain.endsWith(`.${parent}`);
}
