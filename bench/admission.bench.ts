import type { JsonObject } from "../src/index.ts";
import { type Benchmark, cpuRatio } from "./benchmark.ts";
import { InProcess, pods } from "./in-process.ts";
import { pod } from "./pod.ts";

const encoder = new TextEncoder();
const reference = "the same without policies";

export const benchmarks: readonly Benchmark[] = [
  created("create under 50 validating policies, none of which selects the request, in process", 50, 1.15, [
    "deployments",
  ]),
  created("create under 10 validating policies, all of which select the request, in process", 10, 1.6, [
    "pods",
  ]),
];

function created(what: string, count: number, atMost: number, resources: readonly string[]): Benchmark {
  return {
    what,
    reference,
    atMost,
    unit: "x",
    measure: async () => {
      const [without, under] = await Promise.all([InProcess.ready(), InProcess.ready()]);
      for (let i = 0; i < count; i += 1)
        for (const object of policy(`p${i}`, resources)) await under.cluster.create(object);
      // The controller that checks the types of their expressions writes their status.
      await under.cluster.settle();
      let serial = 0;
      const create = (cluster: InProcess) => () =>
        cluster.ask("POST", pods, encoder.encode(JSON.stringify(pod(`web-${++serial}`))));
      return cpuRatio(create(without), create(under));
    },
  };
}

/** A policy and its binding. */
function policy(
  name: string,
  resources: readonly string[],
): readonly (JsonObject & { metadata: { name: string } })[] {
  const apiVersion = "admissionregistration.k8s.io/v1";
  const rule = { apiGroups: ["*"], apiVersions: ["*"], operations: ["CREATE"], resources };
  const spec = {
    matchConstraints: { resourceRules: [rule] },
    validations: [
      {
        expression:
          "object.spec.containers.all(c, !has(c.securityContext) || !has(c.securityContext.privileged))",
        message: "privileged containers are not allowed",
      },
    ],
  };
  const bound = { policyName: name, validationActions: ["Deny"] };
  return [
    { apiVersion, kind: "ValidatingAdmissionPolicy", metadata: { name }, spec },
    { apiVersion, kind: "ValidatingAdmissionPolicyBinding", metadata: { name }, spec: bound },
  ];
}
