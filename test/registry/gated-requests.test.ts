import { expect } from "vitest";
import type { JsonObject } from "../../src/apimachinery/json.ts";
import { certificateRequest } from "./certificate-request.ts";
import { describeRules, type GatedRule } from "./gated-rule.ts";
import type { SendRequest } from "./test-client.ts";

const configMaps = "/api/v1/namespaces/default/configmaps";
const claims = "/api/v1/namespaces/default/persistentvolumeclaims";
const claim: JsonObject = {
  metadata: { name: "c" },
  spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
};
const namespaces = "/api/v1/namespaces?limit=1";

const container = { name: "c", image: "i" };
const immutableTemplate = expect.stringMatching(/^spec\.template: .*field is immutable$/);

/** The errors of a change to the pods of a Job that has started and is suspended. */
async function changedWhileSuspended(send: SendRequest, change: JsonObject): Promise<string> {
  const jobs = "/apis/batch/v1/namespaces/default/jobs";
  const spec = { containers: [container], restartPolicy: "Never" };
  await send("POST", jobs, { metadata: { name: "j" }, spec: { suspend: true, template: { spec } } });
  const suspended = { type: "Suspended", status: "True" };
  const status = { startTime: "2026-01-01T00:00:00Z", conditions: [suspended] };
  expect((await send("PATCH", `${jobs}/j/status`, { status })).code).toBe(200);
  const { findings } = await send("PATCH", `${jobs}/j`, { spec: { template: { spec: change } } });
  return findings.join();
}

/** Gates of options, headers and single fields. */
const rules: readonly GatedRule[] = [
  {
    gate: "StorageVersionHash",
    releases: ["1.32", "1.32"],
    seen: [undefined, expect.stringMatching(/=$/)],
    see: async (send) => (await send("GET", "/apis/apps/v1")).object.resources[0].storageVersionHash,
  },
  {
    gate: "APIListChunking",
    releases: ["1.28", "1.28"],
    seen: [
      [4, false],
      [1, true],
    ],
    see: async (send) => {
      const { object } = await send("GET", namespaces);
      return [object.items.length, object.metadata.continue !== undefined];
    },
  },
  {
    gate: "RemainingItemCount",
    releases: ["1.28", "1.28"],
    seen: [undefined, 3],
    see: async (send) => (await send("GET", namespaces)).object.metadata.remainingItemCount,
  },
  {
    gate: "DryRun",
    releases: ["1.25", "1.25"],
    seen: [
      [400, 400, 400],
      [201, 200, 200],
    ],
    see: async (send) => {
      await send("POST", configMaps, { metadata: { name: "m" } });
      const codes: number[] = [];
      codes.push((await send("POST", `${configMaps}?dryRun=All`, { metadata: { name: "n" } })).code);
      codes.push((await send("PATCH", `${configMaps}/m?dryRun=All`, { data: { a: "b" } })).code);
      codes.push((await send("DELETE", `${configMaps}/m?dryRun=All`)).code);
      return codes;
    },
  },
  {
    gate: "WarningHeaders",
    releases: ["1.21", "1.21"],
    seen: [
      [expect.stringContaining("contains duplicate entries")],
      [
        "batch/v1beta1 CronJob is deprecated in v1.21+, unavailable in v1.25+; use batch/v1 CronJob",
        expect.stringContaining("contains duplicate entries"),
      ],
    ],
    see: async (send) => {
      const { warnings } = await send("GET", "/apis/batch/v1beta1/cronjobs");
      const owner = { apiVersion: "v1", kind: "Pod", name: "p", uid: "u" };
      const owned = { metadata: { name: "m", ownerReferences: [owner, owner] } };
      return [...warnings, ...(await send("POST", configMaps, owned)).warnings];
    },
  },
  {
    gate: "CSRDuration",
    releases: ["1.23", "1.23"],
    seen: [undefined, 3600],
    see: async (send) => {
      const path = "/apis/certificates.k8s.io/v1/certificatesigningrequests";
      const spec = {
        request: certificateRequest,
        signerName: "example.com/s",
        usages: ["client auth"],
        expirationSeconds: 3600,
      };
      return (await send("POST", path, { metadata: { name: "c" }, spec })).object.spec.expirationSeconds;
    },
  },
  {
    gate: "RetroactiveDefaultStorageClass",
    releases: ["1.25", "1.26"],
    seen: [expect.stringContaining("spec is immutable after creation"), ""],
    see: async (send) => {
      await send("POST", claims, claim);
      return (await send("PATCH", `${claims}/c`, { spec: { storageClassName: "s" } })).findings.join();
    },
  },
  {
    gate: "MutablePVNodeAffinity",
    releases: ["1.35", "1.35"],
    seen: [expect.stringContaining("field is immutable, except for updating from beta label to GA"), ""],
    see: async (send) => {
      const affinity = (zone: string) => ({
        required: {
          nodeSelectorTerms: [{ matchExpressions: [{ key: "zone", operator: "In", values: [zone] }] }],
        },
      });
      const spec = {
        accessModes: ["ReadWriteOnce"],
        capacity: { storage: "1Gi" },
        csi: { driver: "d.example.com", volumeHandle: "h" },
      };
      const path = "/api/v1/persistentvolumes";
      await send("POST", path, { metadata: { name: "v" }, spec: { ...spec, nodeAffinity: affinity("a") } });
      return (await send("PATCH", `${path}/v`, { spec: { nodeAffinity: affinity("b") } })).findings.join();
    },
  },
  {
    gate: "UserNamespacesHostNetworkSupport",
    releases: ["1.35", "1.35"],
    seen: ["spec.hostNetwork: Forbidden: when `pod.Spec.HostUsers` is false", ""],
    see: async (send) =>
      (
        await send("POST", "/api/v1/namespaces/default/pods", {
          metadata: { name: "p" },
          spec: { containers: [{ name: "c", image: "i" }], hostUsers: false, hostNetwork: true },
        })
      ).findings.join(),
  },
  {
    gate: "MutableSchedulingDirectivesForSuspendedJobs",
    releases: ["1.35", "1.36"],
    seen: [immutableTemplate, ""],
    see: async (send) => changedWhileSuspended(send, { nodeSelector: { zone: "a" } }),
  },
  {
    gate: "MutablePodResourcesForSuspendedJobs",
    releases: ["1.35", "1.36"],
    seen: [immutableTemplate, ""],
    see: async (send) => {
      const resources = { requests: { cpu: "1" } };
      return changedWhileSuspended(send, { containers: [{ ...container, resources }] });
    },
  },
];

describeRules(rules);
