import { expect, test } from "vitest";
import { imageId, normalizedImage } from "./images.ts";

test.each([
  ["nginx", "docker.io/library/nginx:latest"],
  ["nginx:1.25", "docker.io/library/nginx:1.25"],
  ["bitnami/redis", "docker.io/bitnami/redis:latest"],
  ["registry.k8s.io/pause:3.10", "registry.k8s.io/pause:3.10"],
  ["localhost:5000/web", "localhost:5000/web:latest"],
  ["web@sha256:ab", "docker.io/library/web@sha256:ab"],
])("%s is %s", (image, normalized) => {
  expect(normalizedImage(image)).toBe(normalized);
});

test("the identity of an image is a digest without the tag", () => {
  expect(imageId("localhost:5000/web:1")).toMatch(/^localhost:5000\/web@sha256:[0-9a-f]{64}$/);
  expect(imageId("web@sha256:ab")).toBe("docker.io/library/web@sha256:ab");
});
