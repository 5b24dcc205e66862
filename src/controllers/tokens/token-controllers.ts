import type { Clock } from "../../apimachinery/clock.ts";
import type { Lister } from "../../apimachinery/lister.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import { accountOfToken, isTokenSecret } from "../../authentication/service-account/token-secret.ts";
import type { FeatureGates } from "../../catalog/feature-gates.ts";
import type { Controller, ObjectChange } from "../contract/controller.ts";
import { onDemand } from "../contract/on-demand.ts";
import type { TokenEnvironment } from "./service-account-tokens.ts";

const secrets = { group: "", resource: "secrets" };

/** The controllers of the tokens in Secrets: those of service accounts, and those with which nodes join. */
export function tokenControllers(
  environment: TokenEnvironment,
  clock: Clock,
  gates: FeatureGates,
): readonly Controller[] {
  const { lister, client } = environment;
  const generates = !gates.isEnabled("LegacyServiceAccountTokenNoAutoGeneration");
  return [
    onDemand(
      {
        name: "serviceaccount-token-controller",
        kinds: ["ServiceAccount", "Secret"],
        observe: (change) => tokenKeysOf(change, lister, generates),
        observePublication: () => lister.list(secrets, "").filter(isTokenSecret).map(keyOf),
      },
      async () => (await import("./service-account-tokens.ts")).serviceAccountTokens(environment),
    ),
    onDemand(
      { name: "legacy-serviceaccount-token-cleaner-controller", kinds: ["Secret"], observe: putTokenSecret },
      async () => (await import("./legacy-token-cleaner.ts")).legacyTokenCleaner(lister, client, clock),
    ),
    onDemand({ name: "token-cleaner-controller", kinds: ["Secret"], observe: putBootstrapToken }, async () =>
      (await import("./token-cleaner.ts")).tokenCleaner(lister, client, clock),
    ),
    onDemand(
      { name: "bootstrap-signer-controller", kinds: ["ConfigMap", "Secret"], observe: clusterInfoOf },
      async () => (await import("./bootstrap-signer.ts")).bootstrapSigner(lister, client, clock),
    ),
  ];
}

/** The Secret that changed, or those for tokens of the account that changed, and the account if it may need one. */
function tokenKeysOf(change: ObjectChange, lister: Lister, generates: boolean): readonly string[] {
  const { type, object } = change;
  const { namespace = "", name = "" } = object.metadata;
  if (object.kind !== "ServiceAccount") return isTokenSecret(object) ? [keyOf(object)] : [];
  const keys = lister
    .list(secrets, namespace)
    .filter((secret) => isTokenSecret(secret) && accountOfToken(secret) === name)
    .map(keyOf);
  return generates && type === "put" ? [...keys, `${keyOf(object)}/account`] : keys;
}

function putTokenSecret({ type, object }: ObjectChange): readonly string[] {
  return type === "put" && isTokenSecret(object) ? [keyOf(object)] : [];
}

function keyOf({ metadata: { namespace, name } }: KubeObject): string {
  return `${namespace}/${name}`;
}

function putBootstrapToken({ type, object }: ObjectChange): readonly string[] {
  const { namespace, name = "" } = object.metadata;
  return type === "put" && isBootstrapToken(object) && namespace === "kube-system" ? [name] : [];
}

/** There is one ConfigMap to sign. */
function clusterInfoOf({ object }: ObjectChange): readonly string[] {
  const { kind, metadata } = object;
  const isInfo =
    kind === "ConfigMap" && metadata.name === "cluster-info" && metadata.namespace === "kube-public";
  return isInfo || isBootstrapToken(object) ? ["cluster-info"] : [];
}

function isBootstrapToken(object: KubeObject): boolean {
  return object.kind === "Secret" && object["type"] === "bootstrap.kubernetes.io/token";
}
