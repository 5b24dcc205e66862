import { describe, expect, test } from "vitest";
import { askingForPods, podsPath as path } from "../../registry/pods.ts";
import type { SendRequest } from "../../registry/test-client.ts";

const target = { kind: "Node", name: "n" };

async function made(spec: object = {}, metadata: object = {}): Promise<SendRequest> {
  const send = askingForPods();
  const containers = [{ name: "c", image: "i" }];
  await send("POST", path, { metadata: { name: "p", ...metadata }, spec: { containers, ...spec } });
  return send;
}

describe.each([
  ["binding", `${path}/p/binding`],
  ["older binding", "/api/v1/namespaces/default/bindings"],
])("a %s", (_title, bindings) => {
  test("sets the node of a pod, and adds its annotations", async () => {
    const send = await made();
    const metadata = { name: "p", annotations: { a: "b" } };
    const { code, object } = await send("POST", bindings, { metadata, target });
    expect(code).toBe(201);
    expect(object).toEqual({ kind: "Status", apiVersion: "v1", metadata: {}, status: "Success", code: 201 });
    const { object: pod } = await send("GET", `${path}/p`);
    expect(pod.spec.nodeName).toBe("n");
    expect(pod.metadata.annotations).toEqual({ a: "b" });
    expect(pod.status.conditions).toMatchObject([
      { type: "PodScheduled", status: "True", lastProbeTime: null },
    ]);
  });

  test("changes nothing in a dry run", async () => {
    const send = await made();
    expect((await send("POST", `${bindings}?dryRun=All`, { metadata: { name: "p" }, target })).code).toBe(
      201,
    );
    expect((await send("GET", `${path}/p`)).object.spec.nodeName).toBeUndefined();
  });

  test.each<[string, object, object, readonly unknown[]]>([
    [
      "a pod that has a node",
      { nodeName: "m" },
      { target },
      ['Operation cannot be fulfilled on pods/binding "p": pod p is already assigned to node "m"'],
    ],
    [
      "a pod with scheduling gates",
      { schedulingGates: [{ name: "g" }] },
      { target },
      ['Operation cannot be fulfilled on pods/binding "p": pod p has non-empty .spec.schedulingGates'],
    ],
    [
      "a target that is not a node",
      {},
      { target: { kind: "Pod" } },
      [
        '[target.kind: Unsupported value: "Pod": supported values: "Node", "<empty>", target.name: Required value]',
      ],
    ],
    [
      "another pod of the name",
      {},
      { target, metadata: { uid: "other" } },
      [expect.stringContaining("Precondition failed: UID in precondition: other, UID in object meta: ")],
    ],
    [
      "another version of the pod",
      {},
      { target, metadata: { resourceVersion: "1" } },
      [
        expect.stringContaining(
          "Precondition failed: ResourceVersion in precondition: 1, ResourceVersion in object meta: ",
        ),
      ],
    ],
  ])("is refused for %s", async (_title, spec, binding, findings) => {
    const send = await made(spec);
    const sent = { metadata: {}, ...binding };
    const answer = await send("POST", bindings, { ...sent, metadata: { name: "p", ...sent.metadata } });
    expect(answer.findings).toEqual(findings);
  });

  test("is refused for a pod that is being deleted", async () => {
    const send = await made({}, { finalizers: ["a/b"] });
    await send("DELETE", `${path}/p`);
    expect((await send("POST", bindings, { metadata: { name: "p" }, target })).findings).toEqual([
      'Operation cannot be fulfilled on pods/binding "p": pod p is being deleted, cannot be assigned to a host',
    ]);
  });
});

describe("a binding is refused for", () => {
  test.each<[string, string, string, string]>([
    ["a pod that there is not", "z", "z", 'pods "z" not found'],
    ["another name", "p", "z", "name in URL does not match name in Binding object"],
    ["no name", "p", "", "name in URL does not match name in Binding object"],
  ])("%s", async (_title, pod, name, message) => {
    const send = await made();
    const { findings } = await send("POST", `${path}/${pod}/binding`, { metadata: { name }, target });
    expect(findings).toEqual([message]);
  });
});
