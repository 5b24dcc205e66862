import { expect, test } from "vitest";
import { createdStatus } from "./success-status.ts";

test("a create that returns no object answers the Status of a success", () => {
  expect(createdStatus).toEqual({
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: "Success",
    code: 201,
  });
});
