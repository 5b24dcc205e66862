import { describe, expect, test } from "vitest";
import { container, pod } from "../registry/every-kind.ts";
import { podsPath } from "../registry/pods.ts";
import { quietCluster, type SendRequest, testClient } from "../registry/test-client.ts";

const asking = (release: string, featureGates: Record<string, boolean> = {}): SendRequest =>
  testClient(
    quietCluster({
      release,
      featureGates,
      controllers: ["serviceaccount-controller", "serviceaccount-token-controller"],
    }),
  );

const appArmor = `container.apparmor.security.beta.kubernetes.io/${container.name}`;
const profile = { [appArmor]: "runtime/default", kept: "a" };

describe("the gate AppArmor", () => {
  const annotated = { ...pod({}), metadata: { name: "p", annotations: profile } };

  test.each<[release: string, gates: Record<string, boolean>, kept: object]>([
    ["1.20", {}, profile],
    ["1.20", { AppArmor: false }, { kept: "a" }],
    ["1.30", { AppArmor: false }, { kept: "a" }],
    ["1.32", {}, profile],
  ])("decides in %s with %o about the annotation of a pod", async (release, gates, kept) => {
    const { object } = await asking(release, gates)("POST", podsPath, annotated);
    expect(object.metadata.annotations).toEqual(kept);
  });

  test("decides about the annotation of a template", async () => {
    const template = {
      metadata: { labels: { a: "b" }, annotations: profile },
      spec: { containers: [container] },
    };
    const spec = { selector: { matchLabels: { a: "b" } }, template };
    const send = asking("1.25", { AppArmor: false });
    const body = { metadata: { name: "d" }, spec };
    const { object } = await send("POST", "/apis/apps/v1/namespaces/default/deployments", body);
    expect(object.spec.template.metadata.annotations).toEqual({ kept: "a" });
  });

  test.each<[release: string, gates: Record<string, boolean>, warnings: number, type: string | undefined]>([
    ["1.29", {}, 0, undefined],
    ["1.30", {}, 1, "RuntimeDefault"],
    ["1.30", { AppArmorFields: false }, 0, undefined],
  ])(
    "%s with %o copies the annotation to the field by AppArmorFields",
    async (release, gates, warnings, type) => {
      const answer = await asking(release, gates)("POST", podsPath, annotated);
      expect(answer.object.spec.containers[0].securityContext?.appArmorProfile?.type).toBe(type);
      expect(answer.warnings.filter((warning) => warning.includes("appArmorProfile"))).toHaveLength(warnings);
    },
  );
});

describe("the annotation of Jobs whose pods are counted by finalizers", () => {
  const jobs = "/apis/batch/v1/namespaces/default/jobs";
  const tracking = "batch.kubernetes.io/job-tracking";
  const job = (annotations: object) => ({
    metadata: { name: "j", annotations },
    spec: { template: { spec: { restartPolicy: "Never", containers: [container] } } },
  });

  test.each<[release: string, gates: Record<string, boolean>, sent: object, kept: object | undefined]>([
    ["1.21", {}, { [tracking]: "" }, { [tracking]: "" }],
    ["1.22", {}, { [tracking]: "" }, undefined],
    ["1.22", { JobTrackingWithFinalizers: true }, {}, { [tracking]: "" }],
    ["1.25", {}, {}, { [tracking]: "" }],
    ["1.25", { JobTrackingWithFinalizers: false }, { [tracking]: "" }, undefined],
    ["1.27", {}, {}, { [tracking]: "" }],
    ["1.28", {}, {}, undefined],
  ])("in %s with %o, %o becomes %o", async (release, gates, sent, kept) => {
    const { object } = await asking(release, gates)("POST", jobs, job(sent));
    const { "batch.kubernetes.io/job-tracking": mark } = object.metadata.annotations ?? {};
    expect(mark === undefined ? undefined : { [tracking]: mark }).toEqual(kept);
  });

  test("cannot be removed since 1.26", async () => {
    const remove = { metadata: { annotations: { [tracking]: null } } };
    for (const [release, mark] of [
      ["1.25", undefined],
      ["1.26", ""],
    ] as const) {
      const send = asking(release);
      await send("POST", jobs, job({}));
      const { object } = await send("PATCH", `${jobs}/j`, remove);
      expect(object.metadata.annotations?.[tracking]).toBe(mark);
    }
  });

  test("cannot be added later", async () => {
    const send = asking("1.25");
    await send("POST", jobs, job({}));
    await send("PATCH", `${jobs}/j`, { metadata: { annotations: { [tracking]: null } } });
    const answer = await send("PATCH", `${jobs}/j`, { metadata: { annotations: { [tracking]: "" } } });
    expect(answer.findings).toEqual([
      `metadata.annotations[${tracking}]: Forbidden: cannot add this annotation`,
    ]);
  });
});

describe("the gate DRAControlPlaneController of 1.31", () => {
  const base = "/apis/resource.k8s.io/v1alpha3";
  const claims = `${base}/namespaces/default/resourceclaims`;
  const send = (gates: Record<string, boolean>) =>
    testClient(
      quietCluster({
        release: "1.31",
        runtimeConfig: { "resource.k8s.io/v1alpha3": true },
        featureGates: { DynamicResourceAllocation: true, ...gates },
      }),
    );
  const spec = { controller: "c.example.com", devices: { requests: [{ name: "r", deviceClassName: "c" }] } };
  const suitableNodes = { nodeSelectorTerms: [{ matchExpressions: [{ key: "a", operator: "Exists" }] }] };
  const status = { allocation: { controller: "c.example.com" }, deallocationRequested: true };

  test.each<[gates: Record<string, boolean>, isKept: boolean]>([
    [{}, false],
    [{ DRAControlPlaneController: true }, true],
  ])("with %o decides about controllers", async (gates, isKept) => {
    const client = send(gates);
    const { object } = await client("POST", claims, { metadata: { name: "c" }, spec });
    expect(object.spec.controller).toBe(isKept ? "c.example.com" : undefined);
    const body = { metadata: { name: "c" }, spec: { suitableNodes } };
    const deviceClass = await client("POST", `${base}/deviceclasses`, body);
    expect(deviceClass.object.spec.suitableNodes).toEqual(isKept ? suitableNodes : undefined);
    const allocated = await client("PATCH", `${claims}/c/status`, { status });
    expect(allocated.object.status?.allocation?.controller).toBe(isKept ? "c.example.com" : undefined);
    expect(allocated.object.status?.deallocationRequested).toBe(isKept ? true : undefined);
  });
});
