import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { createCluster, type JsonObject, VirtualClock } from "../../src/index.ts";
import { Bindings } from "./replay/bindings.ts";
import { compare } from "./replay/compare.ts";
import { ReplayServer, replayOptions } from "./replay/replay.ts";

/** A review that a webhook of a real 1.32 got: the mutating one first, then the validating one. */
interface RecordedReview {
  readonly note: string;
  readonly http: { readonly method: string; readonly path: string; readonly status: number };
  readonly review: { readonly request: { readonly object: JsonObject | null } };
}

const recorded: readonly RecordedReview[] = readFileSync(
  new URL("./data/admission-reviews.jsonl", import.meta.url),
  "utf8",
)
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line));

const container = { name: "c", image: "x" };
const template = { metadata: { labels: { a: "b" } }, spec: { containers: [container] } };

/** The bodies of the requests, which the recording leaves out. */
const requests: { readonly [note: string]: { readonly body?: unknown; readonly type?: string } } = {
  create: { body: { metadata: { name: "a" }, data: { k: "v" } } },
  "create generateName": { body: { metadata: { generateName: "g-" } } },
  "create dryRun": { body: { metadata: { name: "dr" } } },
  "update PUT": { body: { metadata: { name: "a" }, data: { k: "v2" } } },
  "patch merge": { body: { data: { k: "v3" } }, type: "application/merge-patch+json" },
  "no-op patch": { body: {}, type: "application/merge-patch+json" },
  "apply create": {
    body: { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "ap" }, data: { x: "1" } },
    type: "application/apply-patch+yaml",
  },
  "apply update": {
    body: { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "ap" }, data: { x: "2" } },
    type: "application/apply-patch+yaml",
  },
  "invalid object": { body: { metadata: { name: "A_b" } } },
  "delete with body": { body: { propagationPolicy: "Background" } },
  deletecollection: {},
  "deployment create": {
    body: { metadata: { name: "d" }, spec: { selector: { matchLabels: { a: "b" } }, template } },
  },
  "scale patch": { body: { spec: { replicas: 2 } }, type: "application/merge-patch+json" },
  "status patch": { body: { status: { observedGeneration: 1 } }, type: "application/merge-patch+json" },
  "pod create": { body: { metadata: { name: "p" }, spec: { nodeName: "nx", containers: [container] } } },
  exec: {},
  "pod delete graceful": {},
  eviction: { body: { apiVersion: "policy/v1", kind: "Eviction", metadata: { name: "p" } } },
  token: { body: { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", spec: {} } },
  "hpa v1 (requestKind vs kind)": {
    body: { metadata: { name: "h" }, spec: { scaleTargetRef: { kind: "X", name: "y" }, maxReplicas: 2 } },
  },
};

function configuration(kind: string, name: string): unknown {
  const rules = [{ apiGroups: ["*"], apiVersions: ["*"], operations: ["*"], resources: ["*/*"] }];
  const webhook = {
    name: `${name}.x.io`,
    clientConfig: { url: "https://127.0.0.1:18443/ok" },
    rules,
    sideEffects: "None",
    admissionReviewVersions: ["v1"],
    namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": "cap" } },
  };
  return { apiVersion: "admissionregistration.k8s.io/v1", kind, metadata: { name }, webhooks: [webhook] };
}

/** The order of the fields of a true 1.32, where Pods have no generation. */
function corrected(review: unknown): unknown {
  return JSON.parse(JSON.stringify(review).replace(/("kind":"Pod".*?)"generation":1,/g, "$1"));
}

test("webhooks get the reviews of a real 1.32", async () => {
  const clock = new VirtualClock(Date.UTC(2026, 10, 20, 14, 49, 26));
  const cluster = createCluster(replayOptions(clock));
  const server = new ReplayServer(cluster, clock);
  const group = "/apis/admissionregistration.k8s.io/v1";
  const setup: readonly (readonly [path: string, body: unknown])[] = [
    ["/api/v1/namespaces", { metadata: { name: "cap" } }],
    ["/api/v1/namespaces/cap/serviceaccounts", { metadata: { name: "default" } }],
    [`${group}/mutatingwebhookconfigurations`, configuration("MutatingWebhookConfiguration", "m")],
    [`${group}/validatingwebhookconfigurations`, configuration("ValidatingWebhookConfiguration", "v")],
  ];
  for (const [path, body] of setup) {
    expect((await server.ask({ method: "POST", path, as: "admin", body })).status).toBe(201);
  }
  const bindings = new Bindings();
  const differences: string[] = [];
  const left = [...recorded];
  while (left[0] !== undefined) {
    const { note, http } = left[0];
    const wanted = left.splice(0, left.findIndex((other) => other.note !== note) >>> 0);
    const reviews: unknown[] = [];
    const handles = ["m.x.io", "v.x.io"].map((name) =>
      cluster.webhook(name, (review) => {
        reviews.push(review);
        return { allowed: true };
      }),
    );
    const { body, type = "application/json" } = requests[note] ?? {};
    const headers = { "Content-Type": type };
    const { status } = await server.ask({ ...http, as: "admin", headers, body });
    for (const handle of handles) handle.remove();
    if (status !== http.status) differences.push(`${note}: status ${status}`);
    if (reviews.length !== wanted.length) differences.push(`${note}: ${reviews.length} reviews`);
    for (const [i, { review }] of wanted.entries()) {
      for (const { path, recorded: was, actual } of compare(corrected(review), reviews[i], bindings)) {
        if (path === "request.uid") continue;
        differences.push(
          `${note} ${i}: ${path}: recorded ${JSON.stringify(was)}, actual ${JSON.stringify(actual)}`,
        );
      }
    }
  }
  expect(differences).toEqual([]);
});
