import type { JsonObject } from "../../../apimachinery/json.ts";
import type { UserInfo } from "../../../apimachinery/user-info.ts";

/** A user in the format of reviews. */
export function userInfoObject({ name, uid, groups, extra }: UserInfo): JsonObject {
  return {
    ...(name !== "" && { username: name }),
    ...(uid !== "" && { uid }),
    ...(groups.length > 0 && { groups }),
    ...(Object.keys(extra).length > 0 && { extra }),
  };
}
