import { expect, test } from "vitest";
import { modesProblem } from "./modes.ts";

// Upstream: pkg/kubeapiserver/options/authorization.go, `Validate`.
test.each<[readonly string[], string | undefined]>([
  [["AlwaysAllow", "AlwaysDeny", "ABAC", "Webhook", "RBAC", "Node"], undefined],
  [[], "at least one authorization-mode must be passed"],
  [["RBAC", "rbac"], 'authorization-mode "rbac" is not a valid mode'],
  [["RBAC", "toString"], 'authorization-mode "toString" is not a valid mode'],
  [["Node", "RBAC", "Node"], 'authorization-mode ["Node" "RBAC" "Node"] has mode specified more than once'],
])("the modes %j: %s", (modes, problem) => expect(modesProblem(modes)).toBe(problem));
