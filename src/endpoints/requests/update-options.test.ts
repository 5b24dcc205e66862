import { describe, expect, test } from "vitest";
import type { AdmissionAttributes } from "../../admission/contract/admission.ts";
import { SideEffects } from "../../admission/contract/side-effects.ts";
import type { KubeObject } from "../../apimachinery/object-meta.ts";
import type { Conversion } from "../contract/conversion.ts";
import type { EndpointEnvironment } from "../contract/environment.ts";
import type { ResourceContext, ResourceScope } from "../contract/scope.ts";
import type { AdmissionRequest } from "./admit.ts";
import { updateOptions } from "./update-options.ts";

const object = (name: string): KubeObject => ({ kind: "K", apiVersion: "v1", metadata: { name } });
const alice = { name: "alice", uid: "", groups: [], extra: {} };

/** The options of an update, with what admission validates and who is authorized. */
function optionsOf(isIdentity: boolean, uid: string | undefined, mayCreate = true) {
  const steps: string[] = [];
  const shown = (one: KubeObject) => object(`${one.metadata.name}!`);
  const conversion: Pick<Conversion, "isIdentity" | "convert"> = {
    isIdentity,
    convert: (objects) => objects.map(shown),
  };
  const validate = ({ operation, object, oldObject }: AdmissionAttributes) => {
    steps.push([operation, object?.metadata.name, oldObject?.metadata.name].join(" "));
  };
  const authorize = async ({ info }: { info: { verb: string } }) => {
    steps.push(`authorize ${info.verb}`);
    return { verdict: mayCreate ? "allow" : "noOpinion", reason: "" };
  };
  // The options depend on nothing else.
  const admission = {
    operation: "UPDATE",
    name: "a",
    dryRun: true,
    sideEffects: new SideEffects(),
  } as unknown as AdmissionRequest;
  const context = {
    user: alice,
    now: 5,
    warn: () => {},
    info: {
      isResourceRequest: true,
      verb: "update",
      group: "",
      resource: "ks",
      subresource: "",
      namespace: "",
      name: "a",
    },
  } as unknown as ResourceContext;
  const environment = {
    admission: { validate },
    authorize,
    gates: { since: () => true },
  } as unknown as EndpointEnvironment;
  const options = updateOptions(admission, { conversion } as unknown as ResourceScope, context, environment, {
    uid,
    forceCreate: true,
    keepsManagedFields: false,
  });
  return { options, steps };
}

describe("the options of an update", () => {
  test.each([
    ["u", "u"],
    ["", undefined],
    [undefined, undefined],
  ])("need the uid %j: %j", (uid, needed) => {
    const { options } = optionsOf(true, uid);
    expect(options).toMatchObject({
      user: alice,
      dryRun: true,
      now: 5,
      forceCreate: true,
      keepsManagedFields: false,
    });
    expect(options.uid).toBe(needed);
  });

  test("validate both objects in the version of the endpoint", async () => {
    const same = optionsOf(true, undefined);
    await same.options.validateAdmission(object("new"), object("old"));
    expect(same.steps).toEqual(["UPDATE new old"]);
    const converted = optionsOf(false, undefined);
    await converted.options.validateAdmission(object("new"), object("old"));
    expect(converted.steps).toEqual(["UPDATE new! old!"]);
  });

  test("authorize and validate what is created as a create", async () => {
    const allowed = optionsOf(false, undefined);
    await allowed.options.validateCreation(object("new"));
    expect(allowed.steps).toEqual(["authorize create", "CREATE new! "]);
    const refused = optionsOf(false, undefined, false);
    await expect(refused.options.validateCreation(object("new"))).rejects.toMatchObject({ code: 403 });
    expect(refused.steps).toEqual(["authorize create"]);
  });
});
