import { formatGroupVersion } from "../../../apimachinery/group-version.ts";
import { formatTime } from "../../../apimachinery/time.ts";
import { transient } from "../../../codec/encodable.ts";
import type { ResourceDefinition, Rest } from "../../../registry/contract/rest.ts";
import { userInfoObject } from "./user-info-object.ts";

/** The verbs of `selfsubjectreviews`, which return the user of the request. */
export function selfSubjectReviewRest(definition: ResourceDefinition): Rest {
  return {
    definition,
    create: async (_key, sent, { user, now, validateAdmission }) => {
      await validateAdmission(sent);
      const review = {
        kind: definition.gvk.kind,
        apiVersion: formatGroupVersion(definition.gvk),
        metadata: { creationTimestamp: formatTime(now) },
        status: { userInfo: userInfoObject(user) },
      };
      return { object: transient(definition.schema.canonicalize(review)) };
    },
  };
}
