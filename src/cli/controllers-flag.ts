import { unknownName } from "../apimachinery/option-checks.ts";
import { controllerNames, simulatedControllerNames } from "../controllers/enabled-controllers.ts";
import { FlagError } from "./flag-error.ts";

/** The names that controllers had before 1.28, which stay valid. Upstream: `KCMControllerAliases` (cmd/kube-controller-manager/names). */
const aliases: ReadonlyMap<string, string> = new Map(
  [
    "attachdetach persistentvolume-attach-detach",
    "bootstrapsigner bootstrap-signer",
    "cloud-node-lifecycle cloud-node-lifecycle",
    "clusterrole-aggregation clusterrole-aggregation",
    "cronjob cronjob",
    "csrapproving certificatesigningrequest-approving",
    "csrcleaner certificatesigningrequest-cleaner",
    "csrsigning certificatesigningrequest-signing",
    "daemonset daemonset",
    "deployment deployment",
    "disruption disruption",
    "endpoint endpoints",
    "endpointslice endpointslice",
    "endpointslicemirroring endpointslice-mirroring",
    "ephemeral-volume ephemeral-volume",
    "garbagecollector garbage-collector",
    "horizontalpodautoscaling horizontal-pod-autoscaler",
    "job job",
    "legacy-service-account-token-cleaner legacy-serviceaccount-token-cleaner",
    "namespace namespace",
    "nodeipam node-ipam",
    "nodelifecycle node-lifecycle",
    "persistentvolume-binder persistentvolume-binder",
    "persistentvolume-expander persistentvolume-expander",
    "podgc pod-garbage-collector",
    "pv-protection persistentvolume-protection",
    "pvc-protection persistentvolumeclaim-protection",
    "replicaset replicaset",
    "replicationcontroller replicationcontroller",
    "resource-claim-controller resourceclaim",
    "resourcequota resourcequota",
    "root-ca-cert-publisher root-ca-certificate-publisher",
    "route node-route",
    "service service-lb",
    "service-ca-cert-publisher service-ca-certificate-publisher",
    "serviceaccount serviceaccount",
    "serviceaccount-token serviceaccount-token",
    "statefulset statefulset",
    "storage-version-gc storageversion-garbage-collector",
    "tokencleaner token-cleaner",
    "ttl ttl",
    "ttl-after-finished ttl-after-finished",
  ].map((line) => {
    const [alias = "", name = ""] = line.split(" ");
    return [alias, `${name}-controller`];
  }),
);

const here: ReadonlySet<string> = new Set([...controllerNames, ...simulatedControllerNames]);

/** The controllers of kube-controller-manager that do not run here. */
const elsewhere: ReadonlySet<string> = new Set(
  [...aliases.values(), "service-cidr-controller", "selinux-warning-controller"]
    .concat("device-taint-eviction-controller", "podcertificaterequest-cleaner-controller")
    .filter((name) => !here.has(name)),
);

/**
 * The controllers that `--controllers` lists, by their present names. To disable one that does not run here is right, and to enable one is an error.
 *
 * @throws {FlagError}
 */
export function controllersOf(list: readonly string[] | undefined): string[] | undefined {
  return list?.flatMap((entry) => {
    const sign = entry.startsWith("-") ? "-" : "";
    const given = entry.slice(sign.length);
    const name = aliases.get(given) ?? given;
    if (name === "*" || here.has(name)) return [`${sign}${name}`];
    if (!elsewhere.has(name)) throw unknownController(given);
    if (sign !== "") return [];
    throw new FlagError(`--controllers: ${name} of kube-controller-manager does not run here`);
  });
}

function unknownController(name: string): FlagError {
  const known = [...here, ...elsewhere, ...aliases.keys()];
  return new FlagError(unknownName("--controllers: unknown controller", name, known).message);
}
