import type { Clock } from "../../apimachinery/clock.ts";
import { structAt, textAt } from "../../apimachinery/fields.ts";
import type { JsonObject } from "../../apimachinery/json.ts";
import type { Lister } from "../../apimachinery/lister.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import { type BootstrapToken, bootstrapTokenOf } from "../../authentication/contract/bootstrap-secret.ts";
import type { Controller, ControllerClient } from "../contract/controller.ts";

const configMaps = { group: "", resource: "configmaps" };
const publicNamespace = "kube-public";
const name = "cluster-info";
const signaturePrefix = "jws-kubeconfig-";

/**
 * Signs the kubeconfig in the ConfigMap `cluster-info` with each bootstrap token for signing, so that a node that knows a
 * token can trust it. Upstream: pkg/controller/bootstrap/bootstrapsigner.go.
 */
export function bootstrapSigner(
  lister: Lister,
  client: ControllerClient,
  clock: Clock,
): Controller["reconcile"] {
  return async () => {
    const info = lister.get(configMaps, publicNamespace, name);
    if (info === undefined) return;
    const data = await signedData(structAt(info, "data"), signingTokens(lister, clock.now()));
    if (data === undefined) return;
    await client.update({ ...info, data });
  };
}

function signingTokens(lister: Lister, now: number): readonly BootstrapToken[] {
  return lister
    .list({ group: "", resource: "secrets" }, "kube-system")
    .filter(({ metadata }) => !metadata.deletionTimestamp)
    .flatMap((secret) => validToken(secret, now) ?? []);
}

/** A token that signs: its Secret is named after it, and it is not expired. */
function validToken(secret: KubeObject, now: number): BootstrapToken | undefined {
  const token = bootstrapTokenOf(secret, now);
  if (token === undefined || token.isExpired || token.id === "" || token.secret === "") return undefined;
  const isNamed = secret.metadata.name === `bootstrap-token-${token.id}`;
  return isNamed && token.field("usage-bootstrap-signing") === "true" ? token : undefined;
}

/** The data with a signature of each token and without those of others; undefined if nothing changes. */
async function signedData(
  data: JsonObject,
  tokens: readonly BootstrapToken[],
): Promise<JsonObject | undefined> {
  const content = textAt(data, "kubeconfig");
  if (content === "") return undefined;
  const signatures: [string, string][] = [];
  for (const token of tokens) {
    signatures.push([`${signaturePrefix}${token.id}`, await detachedSignature(content, token)]);
  }
  const others = Object.entries(data).filter(([key]) => !key.startsWith(signaturePrefix));
  const known = Object.entries(data).filter(([key]) => key.startsWith(signaturePrefix));
  const wanted = new Map(signatures);
  const isSame = known.length === wanted.size && known.every(([key, value]) => wanted.get(key) === value);
  return isSame ? undefined : Object.fromEntries([...others, ...signatures]);
}

/** A JSON Web Signature without its content. */
async function detachedSignature(content: string, { id, secret }: BootstrapToken): Promise<string> {
  const { CompactSign } = await import("jose");
  const utf8 = new TextEncoder();
  const signed = await new CompactSign(utf8.encode(content))
    .setProtectedHeader({ alg: "HS256", kid: id })
    .sign(utf8.encode(secret));
  const [header, , signature] = signed.split(".");
  return `${header}..${signature}`;
}
