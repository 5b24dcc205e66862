import { expect, test } from "vitest";
import { imageNameProblem } from "./image-names.ts";
import { imageId, normalizedImage } from "./images.ts";

test.each([
  ["nginx", "docker.io/library/nginx:latest"],
  ["nginx:1.25", "docker.io/library/nginx:1.25"],
  ["bitnami/redis", "docker.io/bitnami/redis:latest"],
  ["registry.k8s.io/pause:3.10", "registry.k8s.io/pause:3.10"],
  ["localhost:5000/web", "localhost:5000/web:latest"],
  ["web@sha256:ab", "docker.io/library/web@sha256:ab"],
  ["docker.io/nginx", "docker.io/library/nginx:latest"],
  ["index.docker.io/bitnami/redis:1", "docker.io/bitnami/redis:1"],
])("%s is %s", (image, normalized) => {
  expect(normalizedImage(image)).toBe(normalized);
});

test("the identity of an image is a digest without the tag", () => {
  expect(imageId("localhost:5000/web:1")).toMatch(/^localhost:5000\/web@sha256:[0-9a-f]{64}$/);
  expect(imageId("web@sha256:ab")).toBe("docker.io/library/web@sha256:ab");
});

const hex = "0123456789abcdef".repeat(4);

/** Upstream: the cases of `TestValidateReferenceName` and `TestReferenceParse` in github.com/distribution/reference. */
test.each([
  ["nginx", undefined],
  ["docker/docker:v1.2_3-4", undefined],
  ["localhost:5000/a/b__c/d-e.f:1", undefined],
  ["[2001:db8::1]:5000/web", undefined],
  [`registry.k8s.io/pause:3.10@sha256:${hex}`, undefined],
  ["Upper/web", undefined],
  ["Web:1", "invalid reference format: repository name (library/Web) must be lowercase"],
  ["nginx:", "invalid reference format"],
  ["nginx:1:2", "invalid reference format"],
  ["a//b", "invalid reference format"],
  ["-web", "invalid reference format"],
  ["web@sha256:short", "invalid reference format"],
  ["%REGISTRY%/web", "invalid reference format"],
  [hex, `invalid repository name (${hex}), cannot specify 64-byte hexadecimal strings`],
  [`${"a/".repeat(150)}a`, "repository name must not be more than 255 characters"],
])("the problem of the image name %s is %s", (image, problem) => {
  expect(imageNameProblem(image)).toBe(problem);
});
