import type { AdmissionAttributes } from "../../admission/contract/admission.ts";
import type { UpdateOptions } from "../../registry/contract/rest.ts";
import type { EndpointEnvironment } from "../contract/environment.ts";
import type { ResourceContext, ResourceScope } from "../contract/scope.ts";
import { type AdmissionRequest, attributesOf, validateAdmission } from "./admit.ts";
import { authorizeCreation } from "./forbidden-request.ts";

/** What an update has to know and to ask, whether it came as PUT or as PATCH. */
export function updateOptions(
  admission: AdmissionRequest,
  scope: ResourceScope,
  context: ResourceContext,
  environment: EndpointEnvironment,
  uid: string | undefined,
  forceCreate: boolean,
): UpdateOptions {
  const validate = (attributes: AdmissionAttributes) => validateAdmission(attributes, environment);
  return {
    user: context.user,
    dryRun: admission.dryRun,
    now: context.now,
    warn: context.warn,
    uid: uid === "" ? undefined : uid,
    forceCreate,
    validateAdmission: (object, old) =>
      validate(attributesOf(admission, scope.convert(object), scope.convert(old))),
    validateCreation: async (object) => {
      await authorizeCreation(context, environment);
      await validate(attributesOf(admission, scope.convert(object), undefined, "CREATE"));
    },
  };
}
