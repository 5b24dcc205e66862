import type { Status } from "../../apimachinery/status.ts";

/** The response to a create that returns no object: a binding, an eviction. */
export const createdStatus: Status = {
  kind: "Status",
  apiVersion: "v1",
  metadata: {},
  status: "Success",
  code: 201,
};
