import { describe, expect, test } from "vitest";
import type { AdmissionChain } from "../../admission/admission-chain.ts";
import type { AdmissionAttributes, MutatingAttributes } from "../../admission/contract/admission.ts";
import type { JsonValue } from "../../apimachinery/json.ts";
import type { KubeObject, MutableKubeObject } from "../../apimachinery/object-meta.ts";
import type { EndpointEnvironment } from "../contract/environment.ts";
import type { ResourceContext, ResourceScope } from "../contract/scope.ts";
import {
  admissionRequest,
  admitChanges,
  admitDeletion,
  attributesOf,
  ending,
  mutatingAttributesOf,
  reverting,
  validateAdmission,
} from "./admit.ts";

const alice = { name: "alice", uid: "", groups: [], extra: {} };

interface Asked {
  readonly resource?: string;
  readonly group?: string;
  readonly namespace?: string;
  readonly name?: string;
  readonly subresource?: string;
  /** Whether the objects are stored. */
  readonly isStored?: boolean;
}

/** The attributes of a request to create an object with this name in its body. */
function requested(asked: Asked = {}, inBody?: string, warn: (text: string) => void = () => {}) {
  const {
    resource = "configmaps",
    group = "",
    namespace = "a",
    name = "",
    subresource,
    isStored = true,
  } = asked;
  // The function reads only these parts.
  const scope = {
    gvk: { group, version: "v1", kind: "K" },
    resource: { group, version: "v1", resource },
    subresource: subresource && { name: subresource },
    rest: isStored ? { latest: {} } : {},
  } as unknown as ResourceScope;
  const query = { get: () => null };
  const context = {
    info: { namespace, name },
    user: alice,
    warn,
    query,
    now: 0,
  } as unknown as ResourceContext;
  return admissionRequest("CREATE", scope, context, undefined, inBody);
}

describe("the attributes of a request", () => {
  test.each<[string, Asked, string | undefined, string, string]>([
    ["the name of the path", { name: "p" }, "b", "a", "p"],
    ["that of the body where the path has none", {}, "b", "a", "b"],
    ["none for a generated one", {}, undefined, "a", ""],
    ["that of a new namespace, which is in itself", { resource: "namespaces", namespace: "" }, "n", "n", "n"],
    ["the namespace of the path", { resource: "namespaces", name: "n", namespace: "n" }, undefined, "n", "n"],
    ["no namespace for other resources without one", { resource: "nodes", namespace: "" }, "b", "", "b"],
    [
      "no namespace for namespaces of another group",
      { resource: "namespaces", group: "example.com", namespace: "" },
      "b",
      "",
      "b",
    ],
  ])("have %s", (_title, asked, inBody, namespace, name) => {
    expect(requested(asked, inBody)).toMatchObject({ namespace, name, subresource: "", dryRun: false });
  });

  test("are about objects as clients see them if these are stored, and as they were decoded before", () => {
    expect(requested().form).toBe("canonical");
    expect(requested({ isStored: false }).form).toBe("decoded");
    expect(mutatingAttributesOf(requested(), undefined, undefined).form).toBe("decoded");
  });

  test("have a deadline, unless they are those of a connection", () => {
    const scope = { gvk: {}, resource: { resource: "pods" }, rest: {} } as unknown as ResourceScope;
    const context = {
      info: { namespace: "a", name: "p" },
      user: alice,
      query: new URLSearchParams("timeout=5s"),
      now: 1000,
    };
    const deadline = (operation: "CREATE" | "CONNECT") =>
      admissionRequest(operation, scope, context as unknown as ResourceContext, undefined).deadline;
    expect([deadline("CREATE"), deadline("CONNECT")]).toEqual([6000, Number.POSITIVE_INFINITY]);
  });

  test("name the subresource", () => {
    expect(requested({ subresource: "status" }).subresource).toBe("status");
  });

  test("have the generated name in the validating phase, as soon as the object has it", () => {
    const object: KubeObject = { kind: "K", apiVersion: "v1", metadata: { name: "generated" } };
    expect(attributesOf(requested(), object, undefined).name).toBe("generated");
    expect(attributesOf(requested({}, "b"), object, undefined).name).toBe("b");
    expect(attributesOf(requested(), undefined, undefined).name).toBe("");
  });
});

// Upstream: apiserver, pkg/endpoints/handlers/fieldmanager/admission.go.
describe("managedFields that admission changes", () => {
  const good: JsonValue = [
    { manager: "m", operation: "Update", apiVersion: "v1", fieldsType: "FieldsV1", fieldsV1: {} },
  ];
  const other: JsonValue = [
    { manager: "n", operation: "Update", apiVersion: "v1", fieldsType: "FieldsV1", fieldsV1: {} },
  ];
  const bad: JsonValue = [{ manager: "m", operation: "Delete" }];

  /** The managedFields and the warnings after a plugin has run. */
  async function admitted(
    before: JsonValue | undefined,
    admit: (object: MutableKubeObject) => Promise<void> | void,
  ) {
    const warnings: string[] = [];
    const object: MutableKubeObject = { kind: "K", apiVersion: "v1", metadata: {} };
    if (before !== undefined) object.metadata["managedFields"] = before;
    const attributes = mutatingAttributesOf(
      requested({}, "b", (text) => warnings.push(text)),
      object,
      undefined,
    );
    const admission = {
      admit: ({ object }: MutatingAttributes) => admit(object ?? expect.unreachable("there is an object")),
    } as AdmissionChain;
    await admitChanges(attributes, { admission });
    return { metadata: object.metadata, warnings };
  }

  const warning = [
    expect.stringMatching(/^\.metadata\.managedFields was in an invalid state after admission; .+: .+/),
  ];

  test.each<[string, JsonValue | undefined, JsonValue, object, unknown]>([
    ["stay if they can be read", good, other, { managedFields: other }, []],
    ["are undone if not", good, bad, { managedFields: good }, warning],
    ["are removed if there were none", undefined, bad, {}, warning],
    ["may be malformed as they were", bad, bad, { managedFields: bad }, []],
  ])("%s", async (_title, before, after, metadata, warnings) => {
    const change = (object: MutableKubeObject) => {
      object.metadata["managedFields"] = after;
    };
    for (const admit of [change, async (object: MutableKubeObject) => change(object)]) {
      const seen = await admitted(before, admit);
      expect(seen).toStrictEqual({ metadata, warnings });
    }
  });

  test("are none of an object that there is not", async () => {
    const admission = { admit: () => {} } as unknown as AdmissionChain;
    await admitChanges(mutatingAttributesOf(requested(), undefined, undefined), { admission });
  });
});

/** An admission chain that reports what it sees. */
function observedChain() {
  const seen: [phase: string, attributes: AdmissionAttributes][] = [];
  const admission = {
    admit: async (attributes: AdmissionAttributes) => void seen.push(["admit", attributes]),
    validate: async (attributes: AdmissionAttributes) => void seen.push(["validate", attributes]),
  };
  return { seen, environment: { admission } as unknown as EndpointEnvironment };
}

test("the validating phase begins when the side effects of an earlier run are undone", async () => {
  const { seen, environment } = observedChain();
  const attributes = attributesOf(requested(), undefined, undefined);
  attributes.sideEffects.add(async () => void seen.push(["revert", attributes]));
  await validateAdmission(attributes, environment);
  await validateAdmission(attributes, environment);
  expect(seen.map(([phase]) => phase)).toEqual(["revert", "validate", "validate"]);
});

test("side effects are undone after a failed write, and end with any", async () => {
  const steps: string[] = [];
  const admission = requested();
  admission.sideEffects.add(async () => void steps.push("undone"));
  await expect(reverting(admission)(new Error("conflict"))).rejects.toThrow("conflict");
  admission.sideEffects.addEnding(() => steps.push("ended"));
  ending(admission)();
  expect(steps).toEqual(["undone", "ended"]);
});

describe("the admission of a deletion", () => {
  const stored: KubeObject = { kind: "K", apiVersion: "v2", metadata: { name: "b" } };
  const shown: KubeObject = { ...stored, apiVersion: "v1" };
  const conversion = { convert: () => [shown], convertToStored: () => [stored], isIdentity: false };
  const scope = { conversion } as unknown as ResourceScope;

  test("sees the object in the version of the endpoint, in both phases", async () => {
    const { seen, environment } = observedChain();
    await admitDeletion(requested(), stored, undefined, scope, environment);
    expect(seen.map(([phase, { object, oldObject }]) => [phase, object, oldObject])).toEqual([
      ["admit", undefined, shown],
      ["validate", undefined, shown],
    ]);
  });

  test("waits for a conversion", async () => {
    const { seen, environment } = observedChain();
    const slow = { conversion: { ...conversion, convert: async () => [shown] } } as unknown as ResourceScope;
    await admitDeletion(requested(), stored, undefined, slow, environment);
    expect(seen[0]?.[1].oldObject).toBe(shown);
  });

  test.each([
    [undefined, 5],
    [0, 0],
    [30, 30],
  ])("with the grace period %j that the kind decides on sees %j", async (decided, expected) => {
    const { seen, environment } = observedChain();
    // Admission reads the options of the request as they are.
    const options = { kind: "DeleteOptions", gracePeriodSeconds: 5 } as unknown as NonNullable<
      AdmissionAttributes["options"]
    >;
    await admitDeletion({ ...requested(), options }, stored, decided, scope, environment);
    for (const [, attributes] of seen)
      expect(attributes.options).toMatchObject({ gracePeriodSeconds: expected });
  });

  test("without options has none", async () => {
    const { seen, environment } = observedChain();
    await admitDeletion(requested(), stored, 3, scope, environment);
    expect(seen[0]?.[1].options).toBeUndefined();
  });
});
