import { expect, test } from "vitest";
import { controllersOf } from "./controllers-flag.ts";

test.each<[given: readonly string[], controllers: readonly string[]]>([
  [
    ["*", "-job-controller"],
    ["*", "-job-controller"],
  ],
  [
    ["*", "bootstrapsigner", "-deployment", "-podgc"],
    ["*", "bootstrap-signer-controller", "-deployment-controller", "-pod-garbage-collector-controller"],
  ],
  [["*", "-nodeipam", "-node-route-controller"], ["*"]],
  [[], []],
])("the controllers %j are %j", (given, controllers) => {
  expect(controllersOf(given)).toEqual(controllers);
});

test.each([
  ["deploymnt", '--controllers: unknown controller "deploymnt"; did you mean "deployment"?'],
  ["-jobs-controller", '--controllers: unknown controller "jobs-controller"; did you mean "job-controller"?'],
  ["service", "--controllers: service-lb-controller of kube-controller-manager does not run here"],
])("%s is refused", (name, message) => {
  expect(() => controllersOf([name])).toThrow(message);
});

test("without the flag, there is no list", () => {
  expect(controllersOf(undefined)).toBe(undefined);
});
