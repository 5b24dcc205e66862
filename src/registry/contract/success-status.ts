import type { Status } from "../../apimachinery/status.ts";

/** What a create answers that leaves no object of its own: a binding, an eviction. */
export const createdStatus: Status = {
  kind: "Status",
  apiVersion: "v1",
  metadata: {},
  status: "Success",
  code: 201,
};
