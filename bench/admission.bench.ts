import type { JsonObject } from "../src/index.ts";
import { type Benchmark, cpuRatio } from "./benchmark.ts";
import { InProcess, pods } from "./in-process.ts";
import { pod } from "./pod.ts";

const encoder = new TextEncoder();
const reference = "the same without policies";

export const benchmarks: readonly Benchmark[] = [
  created("validating", 50, 1.15, "none"),
  created("validating", 10, 1.6, "all"),
  created("mutating", 50, 1.15, "none"),
];

function created(
  type: "mutating" | "validating",
  count: number,
  atMost: number,
  selecting: "all" | "none",
): Benchmark {
  const selection = selecting === "all" ? "all of which select" : "none of which selects";
  const made = type === "mutating" ? mutatingPolicy : validatingPolicy;
  const rule = {
    apiGroups: ["*"],
    apiVersions: ["*"],
    operations: ["CREATE"],
    resources: [selecting === "all" ? "pods" : "deployments"],
  };
  return {
    what: `create under ${count} ${type} policies, ${selection} the request, in process`,
    reference,
    atMost,
    unit: "x",
    measure: async () => {
      const options = { release: "1.36" } as const;
      const [without, under] = await Promise.all([InProcess.ready(options), InProcess.ready(options)]);
      for (let i = 0; i < count; i += 1)
        for (const object of made(`p${i}`, { resourceRules: [rule] })) await under.cluster.create(object);
      await under.cluster.settle();
      let serial = 0;
      const create = (cluster: InProcess) => () =>
        cluster.ask("POST", pods, encoder.encode(JSON.stringify(pod(`web-${++serial}`))));
      return cpuRatio(create(without), create(under));
    },
  };
}

type Named = JsonObject & { metadata: { name: string } };

const apiVersion = "admissionregistration.k8s.io/v1";

/** A policy and its binding. */
function validatingPolicy(name: string, matchConstraints: JsonObject): readonly Named[] {
  const validations = [
    {
      expression:
        "object.spec.containers.all(c, !has(c.securityContext) || !has(c.securityContext.privileged))",
      message: "privileged containers are not allowed",
    },
  ];
  const spec = { matchConstraints, validations };
  const bound = { policyName: name, validationActions: ["Deny"] };
  return [
    { apiVersion, kind: "ValidatingAdmissionPolicy", metadata: { name }, spec },
    { apiVersion, kind: "ValidatingAdmissionPolicyBinding", metadata: { name }, spec: bound },
  ];
}

function mutatingPolicy(name: string, matchConstraints: JsonObject): readonly Named[] {
  const expression = 'Object{metadata: Object.metadata{labels: {"team": "shop"}}}';
  const mutations = [{ patchType: "ApplyConfiguration", applyConfiguration: { expression } }];
  const spec = { matchConstraints, reinvocationPolicy: "Never", mutations };
  return [
    { apiVersion, kind: "MutatingAdmissionPolicy", metadata: { name }, spec },
    { apiVersion, kind: "MutatingAdmissionPolicyBinding", metadata: { name }, spec: { policyName: name } },
  ];
}
