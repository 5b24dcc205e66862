import { listAt, structAt, textAt } from "../../apimachinery/fields.ts";
import { goQuote } from "../../apimachinery/go/go-quote.ts";
import { type JsonObject, type MutableJsonObject, shallowCopy } from "../../apimachinery/json.ts";
import type { Lister } from "../../apimachinery/lister.ts";
import { mirrorAnnotation } from "../../apimachinery/mirror-pod.ts";
import type { KubeObject, MutableKubeObject } from "../../apimachinery/object-meta.ts";
import { secretsOf } from "../../authorization/node/pod-references.ts";
import type { AdmissionAttributes, AdmissionPlugin, MutatingAttributes } from "../contract/admission.ts";
import { isAbout, isAboutSubresource, refused } from "../contract/attributes.ts";
import { unlistedEphemeralSecret, unlistedSecret } from "./secret-references.ts";
import type { ServiceAccountEnvironment } from "./service-account-environment.ts";
import { type TokenVolume, withTokenVolume } from "./token-volume.ts";

const serviceAccounts = { group: "", resource: "serviceaccounts" };
const tokenSeconds = 3607;
const tokenVolumePrefix = "kube-api-access-";
/** The texts that Go's `strconv.ParseBool` reads as true. */
const trueTexts: ReadonlySet<string> = new Set(["1", "t", "T", "true", "TRUE", "True"]);

/**
 * Sets the service account of new pods and mounts its token into every container. Upstream retries when a new
 * namespace has no account yet; here `settle` resolves when the controllers have had time to create it, and its token.
 */
export function serviceAccount(environment: ServiceAccountEnvironment): AdmissionPlugin {
  const { lister, gates, suffix, settle } = environment;
  const isBound = gates.isEnabled("BoundServiceAccountTokenVolume");
  return {
    name: "ServiceAccount",
    handles: (operation) => operation === "CREATE" || operation === "UPDATE",
    admit: (attributes) => {
      const { namespace, object, operation } = attributes;
      if (operation !== "CREATE" || object === undefined || !isAbout(attributes, "", "pods")) return;
      if (isMirror(object)) return checkMirrorPod(attributes, object);
      const name = textAt(object, "spec", "serviceAccountName") || "default";
      if (!isBound) return admitWithSecret(name, environment, attributes, object);
      const admit = () => admitPod(attributes, object, name, lister, () => projectedVolume(suffix));
      const isMissing = name === "default" && lister.get(serviceAccounts, namespace, name) === undefined;
      return isMissing ? settle().then(admit) : admit();
    },
    validate: (attributes) => {
      const find = secretCheckOf(attributes);
      const { namespace, object } = attributes;
      if (find === undefined || object === undefined || isMirror(object)) return;
      const account = lister.get(serviceAccounts, namespace, textAt(object, "spec", "serviceAccountName"));
      if (account === undefined || !limitsSecrets(account)) return;
      const refusal = find(structAt(object, "spec"), account);
      if (refusal !== undefined) throw refused(attributes, refusal);
    },
  };
}

type FindSecret = (spec: JsonObject, account: KubeObject) => string | undefined;

/** The check for secrets that the account does not list: for new pods, and for ephemeral containers. */
function secretCheckOf(attributes: AdmissionAttributes): FindSecret | undefined {
  if (attributes.operation === "CREATE") return isAbout(attributes, "", "pods") ? unlistedSecret : undefined;
  const isAddition = isAboutSubresource(attributes, "", "pods", "ephemeralcontainers");
  return isAddition ? unlistedEphemeralSecret : undefined;
}

/** Whether pods of an account can name only the secrets that the account lists. */
function limitsSecrets({ metadata }: KubeObject): boolean {
  const value = metadata.annotations?.["kubernetes.io/enforce-mountable-secrets"];
  return value !== undefined && trueTexts.has(value);
}

function isMirror({ metadata }: KubeObject): boolean {
  return metadata.annotations?.[mirrorAnnotation] !== undefined;
}

function checkMirrorPod(attributes: MutatingAttributes, pod: KubeObject): void {
  const spec = structAt(pod, "spec");
  if (textAt(spec, "serviceAccountName") !== "") {
    throw refused(attributes, "a mirror pod may not reference service accounts");
  }
  if (secretsOf(spec).length > 0) throw refused(attributes, "a mirror pod may not reference secrets");
  const projected = listAt(spec, "volumes").flatMap((volume) => listAt(volume, "projected", "sources"));
  if (projected.some((source) => source["serviceAccountToken"] !== undefined)) {
    throw refused(attributes, "a mirror pod may not use ServiceAccountToken volume projections");
  }
}

async function admitWithSecret(
  name: string,
  environment: ServiceAccountEnvironment,
  attributes: MutatingAttributes,
  pod: MutableKubeObject,
): Promise<void> {
  const { tokenSecretVolumes } = await import("./token-secret-volume.ts");
  const needsToken = (account: KubeObject) => mountsToken(structAt(pod, "spec"), account);
  const volumeOf = await tokenSecretVolumes(name, environment, attributes, needsToken);
  admitPod(attributes, pod, name, environment.lister, volumeOf);
}

function admitPod(
  attributes: MutatingAttributes,
  pod: MutableKubeObject,
  name: string,
  lister: Lister,
  volumeOf: (account: KubeObject) => TokenVolume,
): void {
  const spec = structAt(pod, "spec");
  const account = lister.get(serviceAccounts, attributes.namespace, name);
  if (account === undefined) {
    const missing = `serviceaccount ${goQuote(name)} not found`;
    throw refused(attributes, `error looking up service account ${attributes.namespace}/${name}: ${missing}`);
  }
  const named: MutableJsonObject = shallowCopy(spec);
  named["serviceAccountName"] = name;
  named["serviceAccount"] = name;
  const mounted = mountsToken(spec, account) ? withTokenVolume(named, volumeOf(account)) : named;
  pod["spec"] = withPullSecrets(mounted, account);
}

/** The field of the pod takes precedence over that of the account; the default is to mount. */
function mountsToken(spec: JsonObject, account: KubeObject): boolean {
  const ofPod = spec["automountServiceAccountToken"];
  if (typeof ofPod === "boolean") return ofPod;
  return account["automountServiceAccountToken"] !== false;
}

/** The volume that a pod has since BoundServiceAccountTokenVolume. */
function projectedVolume(suffix: (length: number) => string): TokenVolume {
  const sources = [
    { serviceAccountToken: { expirationSeconds: tokenSeconds, path: "token" } },
    { configMap: { name: "kube-root-ca.crt", items: [{ key: "ca.crt", path: "ca.crt" }] } },
    {
      downwardAPI: {
        items: [{ path: "namespace", fieldRef: { apiVersion: "v1", fieldPath: "metadata.namespace" } }],
      },
    },
  ];
  return {
    isOwn: (volume) => textAt(volume, "name").startsWith(tokenVolumePrefix),
    name: () => `${tokenVolumePrefix}${suffix(5)}`,
    source: { projected: { sources, defaultMode: 420 } },
  };
}

function withPullSecrets(spec: JsonObject, account: KubeObject): JsonObject {
  const { imagePullSecrets } = account;
  const hasOwn = listAt(spec, "imagePullSecrets").length > 0;
  return hasOwn || !Array.isArray(imagePullSecrets) ? spec : { ...spec, imagePullSecrets };
}
