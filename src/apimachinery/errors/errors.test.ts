import { describe, expect, test } from "vitest";
import { isConflict, isExpired, isNotFound, isTooManyRequests } from "./error-predicates.ts";
import * as errors from "./errors.ts";
import { StatusError } from "./errors.ts";
import { fieldInvalid, fieldRequired } from "./field.ts";

const pods = { group: "", resource: "pods" };
const deployments = { group: "apps", resource: "deployments" };

function wire(error: StatusError): string {
  return JSON.stringify(error.status);
}

function failure(rest: string): string {
  return `{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure",${rest}}`;
}

describe("a Status on the wire", () => {
  test.each<[string, StatusError, string]>([
    [
      "not found",
      errors.notFound(pods, "web"),
      '"message":"pods \\"web\\" not found","reason":"NotFound","details":{"name":"web","kind":"pods"},"code":404',
    ],
    [
      "not found outside the core group",
      errors.notFound(deployments, "web"),
      '"message":"deployments.apps \\"web\\" not found","reason":"NotFound","details":{"name":"web","group":"apps","kind":"deployments"},"code":404',
    ],
    [
      "already exists",
      errors.alreadyExists(pods, "web"),
      '"message":"pods \\"web\\" already exists","reason":"AlreadyExists","details":{"name":"web","kind":"pods"},"code":409',
    ],
    [
      "no free generated name",
      errors.generateNameConflict(pods, "web-x", 1),
      '"message":"pods \\"web-x\\" already exists, the server was not able to generate a unique name for the object","reason":"AlreadyExists","details":{"name":"web-x","kind":"pods","retryAfterSeconds":1},"code":409',
    ],
    [
      "conflict",
      errors.conflict(pods, "web", "the object has been modified"),
      '"message":"Operation cannot be fulfilled on pods \\"web\\": the object has been modified","reason":"Conflict","details":{"name":"web","kind":"pods"},"code":409',
    ],
    [
      "apply conflict",
      errors.applyConflict("Apply failed", [
        { reason: "FieldManagerConflict", message: "m", field: ".data.a" },
      ]),
      '"message":"Apply failed","reason":"Conflict","details":{"causes":[{"reason":"FieldManagerConflict","message":"m","field":".data.a"}]},"code":409',
    ],
    [
      "forbidden object",
      errors.forbidden(deployments, "web", "no"),
      '"message":"deployments.apps \\"web\\" is forbidden: no","reason":"Forbidden","details":{"name":"web","group":"apps","kind":"deployments"},"code":403',
    ],
    [
      "forbidden collection",
      errors.forbidden(pods, "", "no"),
      '"message":"pods is forbidden: no","reason":"Forbidden","details":{"kind":"pods"},"code":403',
    ],
    [
      "forbidden path",
      errors.forbidden({ group: "", resource: "" }, "", "no"),
      '"message":"forbidden: no","reason":"Forbidden","details":{},"code":403',
    ],
    ["bad request", errors.badRequest("what?"), '"message":"what?","reason":"BadRequest","code":400'],
    ["unauthorized", errors.unauthorized(), '"message":"Unauthorized","reason":"Unauthorized","code":401'],
    ["gone", errors.gone("away"), '"message":"away","reason":"Gone","code":410'],
    ["expired", errors.expired("too old"), '"message":"too old","reason":"Expired","code":410'],
    [
      "method not allowed",
      errors.methodNotAllowed(deployments, "watch"),
      '"message":"watch is not supported on resources of kind \\"deployments.apps\\"","reason":"MethodNotAllowed","details":{"group":"apps","kind":"deployments"},"code":405',
    ],
    ["not acceptable", errors.notAcceptable("no"), '"message":"no","reason":"NotAcceptable","code":406'],
    [
      "unsupported media type",
      errors.unsupportedMediaType("no"),
      '"message":"no","reason":"UnsupportedMediaType","code":415',
    ],
    [
      "too large",
      errors.requestEntityTooLarge("limit is 3145728"),
      '"message":"Request entity too large: limit is 3145728","reason":"RequestEntityTooLarge","code":413',
    ],
    [
      "server timeout",
      errors.serverTimeout(deployments, "list", 2),
      '"message":"The list operation against deployments.apps could not be completed at this time, please try again.","reason":"ServerTimeout","details":{"name":"list","group":"apps","kind":"deployments","retryAfterSeconds":2},"code":500',
    ],
    [
      "timeout without a time to retry",
      errors.timeout("late", 0),
      '"message":"Timeout: late","reason":"Timeout","details":{},"code":504',
    ],
    [
      "timeout with a cause",
      errors.timeout("late", 1, [{ reason: "ResourceVersionTooLarge", message: "big" }]),
      '"message":"Timeout: late","reason":"Timeout","details":{"causes":[{"reason":"ResourceVersionTooLarge","message":"big"}],"retryAfterSeconds":1},"code":504',
    ],
    [
      "too many requests",
      errors.tooManyRequests("slow down", 1),
      '"message":"slow down","reason":"TooManyRequests","details":{"retryAfterSeconds":1},"code":429',
    ],
    [
      "internal error",
      errors.internalError("boom"),
      '"message":"Internal error occurred: boom","reason":"InternalError","details":{"causes":[{"message":"boom"}]},"code":500',
    ],
    [
      "service unavailable",
      errors.serviceUnavailable("away"),
      '"message":"away","reason":"ServiceUnavailable","code":503',
    ],
    ["plain", errors.plainError(500, "etcdserver: oops"), '"message":"etcdserver: oops","code":500'],
    [
      "router 404",
      errors.genericServerResponse(404),
      '"message":"the server could not find the requested resource","reason":"NotFound","details":{},"code":404',
    ],
    [
      "router 405",
      errors.genericServerResponse(405),
      '"message":"the server does not allow this method on the requested resource","reason":"MethodNotAllowed","details":{},"code":405',
    ],
    [
      "router 406 without text",
      errors.genericServerResponse(406),
      '"message":"the server was unable to respond with a content type that the client supports","reason":"NotAcceptable","details":{},"code":406',
    ],
    [
      "router 415",
      errors.genericServerResponse(415, "415: Unsupported Media Type"),
      '"message":"415: Unsupported Media Type","reason":"UnsupportedMediaType","details":{},"code":415',
    ],
    [
      "an unknown 5xx",
      errors.genericServerResponse(502, "bad"),
      '"message":"an error on the server (\\"bad\\") has prevented the request from succeeding","reason":"InternalError","details":{},"code":502',
    ],
    [
      "an unknown 4xx",
      errors.genericServerResponse(418),
      '"message":"the server responded with the status code 418 but did not return more information","details":{},"code":418',
    ],
  ])("%s", (_title, error, expected) => {
    expect(wire(error)).toBe(failure(expected));
  });

  test("an expired continue token carries the next one", () => {
    expect(wire(errors.expired("too old", "abc"))).toBe(
      '{"kind":"Status","apiVersion":"v1","metadata":{"continue":"abc"},"status":"Failure","message":"too old","reason":"Expired","code":410}',
    );
  });

  test("one field error has no brackets, several do, and a repeated one is once in the message and twice in the causes", () => {
    const gk = { group: "apps", kind: "Deployment" };
    const missing = fieldRequired("metadata.name");
    const wrong = fieldInvalid("spec.replicas", -1, "no");
    expect(errors.invalid(gk, "", [missing]).message).toBe(
      'Deployment.apps "" is invalid: metadata.name: Required value',
    );
    const repeated = errors.invalid(gk, "web", [wrong, missing, wrong]);
    expect(repeated.message).toBe(
      'Deployment.apps "web" is invalid: [spec.replicas: Invalid value: -1: no, metadata.name: Required value]',
    );
    expect(repeated.status.details).toEqual({
      name: "web",
      group: "apps",
      kind: "Deployment",
      causes: [
        { reason: "FieldValueInvalid", message: "Invalid value: -1: no", field: "spec.replicas" },
        { reason: "FieldValueRequired", message: "Required value", field: "metadata.name" },
        { reason: "FieldValueInvalid", message: "Invalid value: -1: no", field: "spec.replicas" },
      ],
    });
    expect(errors.invalid(gk, "web", [wrong, wrong]).message).toBe(
      'Deployment.apps "web" is invalid: spec.replicas: Invalid value: -1: no',
    );
    expect(errors.invalid(gk, "web", []).message).toBe('Deployment.apps "web" is invalid');
  });

  test("details can be added, and keep their order", () => {
    const error = errors.withDetails(errors.forbidden(pods, "web", "no"), { causes: [{ message: "m" }] });
    expect(JSON.stringify(error.status.details)).toBe(
      '{"name":"web","kind":"pods","causes":[{"message":"m"}]}',
    );
  });
});

describe("predicates", () => {
  test("compare the reason, or the code without a reason", () => {
    expect(isNotFound(errors.notFound(pods, "web"))).toBe(true);
    expect(isNotFound(errors.plainError(404, "gone"))).toBe(true);
    expect(isConflict(errors.alreadyExists(pods, "web"))).toBe(false);
    expect(isExpired(errors.gone("x"))).toBe(true);
    expect(isTooManyRequests(errors.tooManyRequests("x", 1))).toBe(true);
    expect(isNotFound(new Error("not found"))).toBe(false);
    expect(isNotFound(undefined)).toBe(false);
  });

  test("a StatusError is an Error with the Status's message", () => {
    const error = errors.notFound(pods, "web");
    expect(error).toBeInstanceOf(StatusError);
    expect(error).toMatchObject({ name: "StatusError", code: 404, message: 'pods "web" not found' });
  });
});
