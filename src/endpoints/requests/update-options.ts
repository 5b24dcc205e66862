import type { AdmissionAttributes } from "../../admission/contract/admission.ts";
import { whenReady } from "../../apimachinery/awaitable.ts";
import type { UpdateOptions } from "../../registry/contract/rest.ts";
import { convertObject } from "../contract/conversion.ts";
import type { EndpointEnvironment } from "../contract/environment.ts";
import type { ResourceContext, ResourceScope } from "../contract/scope.ts";
import { type AdmissionRequest, attributesOf, validateAdmission } from "./admit.ts";

/** The options of the registry for an update, whether it came as PUT or as PATCH. */
export function updateOptions(
  admission: AdmissionRequest,
  scope: ResourceScope,
  context: ResourceContext,
  environment: EndpointEnvironment,
  { uid, forceCreate, keepsManagedFields }: Pick<UpdateOptions, "uid" | "forceCreate" | "keepsManagedFields">,
): UpdateOptions {
  const { conversion } = scope;
  const validate = (attributes: AdmissionAttributes) => validateAdmission(attributes, environment);
  return {
    user: context.user,
    dryRun: admission.dryRun,
    now: context.now,
    warn: context.warn,
    uid: uid === "" ? undefined : uid,
    forceCreate,
    keepsManagedFields,
    validateAdmission: (object, old) => {
      if (conversion.isIdentity) return validate(attributesOf(admission, object, old));
      return whenReady(conversion.convert([object, old]), ([shown, shownOld]) =>
        validate(attributesOf(admission, shown, shownOld)),
      );
    },
    validateCreation: async (object) => {
      // Few updates create an object.
      const { authorizeCreation } = await import("./authorize-creation.ts");
      await authorizeCreation(context, environment);
      const shown = await convertObject(conversion, object);
      await validate(attributesOf(admission, shown, undefined, "CREATE"));
    },
  };
}
