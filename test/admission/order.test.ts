import { expect, test } from "vitest";
import {
  type Cluster,
  createCluster,
  type JsonObject,
  type KubeObject,
  StatusError,
} from "../../src/index.ts";
import { binding, policy, ruleFor } from "./policy-objects.ts";

const pods = { matchConstraints: { resourceRules: [ruleFor("pods")] } };

function webhooks(type: "Mutating" | "Validating", ...names: string[]): KubeObject {
  return {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: `${type}WebhookConfiguration`,
    metadata: { name: names.join("-") },
    webhooks: names.map((name) => ({
      name: `${name}.example.com`,
      clientConfig: { url: `https://${name}.example.com` },
      rules: [ruleFor("pods")],
      sideEffects: "None",
      admissionReviewVersions: ["v1"],
    })),
  };
}

/** A policy and its bindings. */
function policies(
  type: "Mutating" | "Validating",
  name: string,
  spec: JsonObject,
  ...bindings: string[]
): readonly KubeObject[] {
  const made = policy(type, { ...pods, ...spec }, name);
  return [made, ...bindings.map((bound) => binding(type, { policyName: name }, bound))];
}

const unchanged: JsonObject = {
  reinvocationPolicy: "Never",
  mutations: [
    {
      patchType: "JSONPatch",
      jsonPatch: { expression: "[JSONPatch{op: 'remove', path: '/a'}].filter(p, false)" },
    },
  ],
};
const holds: JsonObject = { validations: [{ expression: "true" }] };

async function createPod(cluster: Cluster, pod: KubeObject): Promise<Response> {
  return cluster.fetch("https://cluster.test/api/v1/namespaces/default/pods", {
    method: "POST",
    headers: {
      "content-type": "application/json",
      authorization: `Bearer ${cluster.token("admin", { groups: ["system:masters"] })}`,
    },
    body: JSON.stringify(pod),
  });
}

test("webhooks and policies have their place in the order of plugins, and are called by name", async () => {
  await using cluster = createCluster({ release: "1.36" });
  const objects = [
    webhooks("Validating", "d", "c"),
    webhooks("Validating", "b"),
    ...policies("Validating", "z", holds, "x"),
    ...policies("Validating", "y", holds, "b", "a"),
    webhooks("Mutating", "b"),
    webhooks("Mutating", "a", "z"),
    ...policies("Mutating", "n", unchanged, "x"),
    ...policies("Mutating", "m", unchanged, "b", "a"),
  ];
  for (const object of objects) await cluster.create(object);
  for (const name of ["a", "b", "c", "d", "z"])
    cluster.webhook(`${name}.example.com`, () => ({ allowed: true }));
  await cluster.settle();
  await createPod(cluster, podWith(new Set()));
  const [request] = cluster.requests.matching({ resource: "pods", verb: "create" });
  expect(request?.admission?.map(({ plugin, name, source }) => `${plugin} ${name} ${source}`)).toEqual([
    "MutatingAdmissionPolicy m a",
    "MutatingAdmissionPolicy m b",
    "MutatingAdmissionPolicy n x",
    "MutatingAdmissionWebhook a.example.com a-z",
    "MutatingAdmissionWebhook z.example.com a-z",
    "MutatingAdmissionWebhook b.example.com b",
    "ValidatingAdmissionPolicy y a",
    "ValidatingAdmissionPolicy y b",
    "ValidatingAdmissionPolicy z x",
    "ValidatingAdmissionWebhook b.example.com b",
    "ValidatingAdmissionWebhook d.example.com d-c",
    "ValidatingAdmissionWebhook c.example.com d-c",
  ]);
});

/** What a pod has that plugins refuse, in the order in which they refuse it: first all mutate, then all validate. */
const refusals: readonly (readonly [cause: string, message: string])[] = [
  ["ServiceAccount", 'error looking up service account default/none: serviceaccount "none" not found'],
  ["Priority", "no PriorityClass with name none was found"],
  ["MutatingAdmissionPolicy", "policy 'p' with binding 'b' denied request"],
  ["MutatingAdmissionWebhook", 'admission webhook "a.example.com" denied the request'],
  ["LimitRanger", "maximum cpu usage per Container is 1, but limit is 5"],
  ["PodSecurity", 'violates PodSecurity "baseline:latest": host namespaces'],
  ["ValidatingAdmissionPolicy", "ValidatingAdmissionPolicy 'p' with binding 'b' denied request"],
  ["ValidatingAdmissionWebhook", 'admission webhook "b.example.com" denied the request'],
  ["ResourceQuota", "exceeded quota: q"],
];

/** A pod that plugins refuse for these causes. */
function podWith(causes: ReadonlySet<string>): KubeObject {
  const labels = Object.fromEntries(Array.from(causes, (cause) => [cause, "true"]));
  const limits = { cpu: causes.has("LimitRanger") ? "5" : "1" };
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: "a", namespace: "default", labels },
    spec: {
      containers: [{ name: "a", image: "a", resources: { limits } }],
      ...(causes.has("ServiceAccount") && { serviceAccountName: "none" }),
      ...(causes.has("Priority") && { priorityClassName: "none" }),
      ...(causes.has("PodSecurity") && { hostNetwork: true }),
    },
  };
}

test("of the plugins that refuse a pod, the first in upstream's order does", async () => {
  await using cluster = createCluster({ release: "1.36" });
  const isMarked = (plugin: string) => `has(object.metadata.labels) && '${plugin}' in object.metadata.labels`;
  const fails = `Object{spec: Object.spec{nodeName: ${isMarked("MutatingAdmissionPolicy")} ? object.none : ''}}`;
  const mutations = [{ patchType: "ApplyConfiguration", applyConfiguration: { expression: fails } }];
  const objects: readonly KubeObject[] = [
    ...policies("Mutating", "p", { reinvocationPolicy: "Never", mutations }, "b"),
    ...policies(
      "Validating",
      "p",
      { validations: [{ expression: `!(${isMarked("ValidatingAdmissionPolicy")})` }] },
      "b",
    ),
    webhooks("Mutating", "a"),
    webhooks("Validating", "b"),
    limitRange,
    quota,
  ];
  await cluster.settle();
  for (const object of objects) await cluster.create(object);
  const enforce = { "pod-security.kubernetes.io/enforce": "baseline" };
  await cluster.patch("v1", "Namespace", "default", { metadata: { labels: enforce } });
  for (const [name, plugin] of [
    ["a", "MutatingAdmissionWebhook"],
    ["b", "ValidatingAdmissionWebhook"],
  ] as const) {
    cluster.webhook(`${name}.example.com`, ({ request }) => ({
      allowed: !JSON.stringify(request).includes(`"${plugin}":"true"`),
    }));
  }
  await cluster.settle();
  const seen: string[] = [];
  for (const [i] of refusals.entries()) {
    const causes = new Set(refusals.slice(i).map(([cause]) => cause));
    const refusal: unknown = await cluster.create(podWith(causes)).catch((error: unknown) => error);
    if (!(refusal instanceof StatusError)) throw new Error("the pod was created");
    const { message } = refusal;
    seen.push(refusals.find(([, text]) => message.includes(text))?.[0] ?? message);
  }
  expect(seen).toEqual(refusals.map(([cause]) => cause));
});

const limitRange: KubeObject = {
  apiVersion: "v1",
  kind: "LimitRange",
  metadata: { name: "l", namespace: "default" },
  spec: { limits: [{ type: "Container", max: { cpu: "1" } }] },
};

const quota: KubeObject = {
  apiVersion: "v1",
  kind: "ResourceQuota",
  metadata: { name: "q", namespace: "default" },
  spec: { hard: { pods: "0" } },
};
