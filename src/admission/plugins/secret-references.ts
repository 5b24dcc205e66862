import { listAt, objectAt, textAt } from "../../apimachinery/fields.ts";
import type { JsonObject } from "../../apimachinery/json.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";

/**
 * The message about the first secret of a new pod that its service account does not list; undefined if it lists all.
 */
export function unlistedSecret(spec: JsonObject, account: KubeObject): string | undefined {
  const mountable = listed(account, "secrets");
  const pulling = listed(account, "imagePullSecrets");
  const refusal = `is not allowed because service account ${account.metadata.name} does not reference that`;
  for (const volume of listAt(spec, "volumes")) {
    const secret = objectAt(volume, "secret");
    const name = secret && textAt(secret, "secretName");
    if (name === undefined || mountable.has(name)) continue;
    return `volume with secret.secretName="${name}" ${refusal} secret`;
  }
  const lists = [
    ["init container", "initContainers"],
    ["container", "containers"],
  ] as const;
  for (const [kind, list] of lists) {
    const unlisted = unlistedOf(listAt(spec, list), kind, account);
    if (unlisted !== undefined) return unlisted;
  }
  const pulled = listAt(spec, "imagePullSecrets").map((secret) => textAt(secret, "name"));
  const i = pulled.findIndex((name) => !pulling.has(name));
  return i < 0 ? undefined : `imagePullSecrets[${i}].name="${pulled[i]}" ${refusal} imagePullSecret`;
}

/** The same check for the ephemeral containers of a pod. */
export function unlistedEphemeralSecret(spec: JsonObject, account: KubeObject): string | undefined {
  return unlistedOf(listAt(spec, "ephemeralContainers"), "ephemeral container", account);
}

function unlistedOf(
  containers: readonly JsonObject[],
  kind: string,
  account: KubeObject,
): string | undefined {
  const mountable = listed(account, "secrets");
  for (const container of containers) {
    const found = referencesOf(container).find(({ secret }) => !mountable.has(secret));
    if (found === undefined) continue;
    const place = `${kind} ${textAt(container, "name")} with ${found.place}`;
    return `${place} referencing secret.secretName="${found.secret}" is not allowed because service account ${account.metadata.name} does not reference that secret`;
  }
  return undefined;
}

interface SecretReference {
  /** `envFrom`, or the variable. */
  readonly place: string;
  readonly secret: string;
}

function referencesOf(container: JsonObject): readonly SecretReference[] {
  return [
    ...listAt(container, "env").flatMap((variable) => {
      const reference = objectAt(variable, "valueFrom", "secretKeyRef");
      if (reference === undefined) return [];
      return [{ place: `envVar ${textAt(variable, "name")}`, secret: textAt(reference, "name") }];
    }),
    ...listAt(container, "envFrom").flatMap((source) => {
      const reference = objectAt(source, "secretRef");
      return reference === undefined ? [] : [{ place: "envFrom", secret: textAt(reference, "name") }];
    }),
  ];
}

function listed(account: KubeObject, list: string): ReadonlySet<string> {
  return new Set(listAt(account, list).map((secret) => textAt(secret, "name")));
}
