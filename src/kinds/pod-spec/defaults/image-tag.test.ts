import { describe, expect, test } from "vitest";
import { imageTag } from "./image-tag.ts";

const sha256 = `sha256:${"a".repeat(64)}`;

describe("the tag of an image", () => {
  test.each([
    ["nginx", "latest"],
    ["nginx:latest", "latest"],
    ["nginx:1.27", "1.27"],
    ["library/nginx", "latest"],
    ["registry.k8s.io/pause:3.10", "3.10"],
    ["localhost/app", "latest"],
    ["localhost:5000/app", "latest"],
    ["localhost:5000/app:v1", "v1"],
    ["[fd00::1]:5000/app:v1", "v1"],
    ["Registry/app", "latest"],
    ["a__b/c-d.e_f:_x", "_x"],
    [`nginx:latest@${sha256}`, "latest"],
    [`nginx:1.27@${sha256}`, "1.27"],
  ])("%s has %s", (image, tag) => expect(imageTag(image)).toBe(tag));

  test.each([
    ["", "nothing"],
    [`nginx@${sha256}`, "a digest alone"],
    ["Nginx", "upper case in the name"],
    ["example.com/Nginx", "upper case below a domain"],
    ["nginx:", "no tag after the colon"],
    ["nginx:-x", "a tag that starts with a dash"],
    [`nginx:${"x".repeat(129)}`, "a tag that is too long"],
    ["nginx:latest@sha256:abc", "a digest that is too short"],
    ["nginx:latest@md5:d41d8cd98f00b204e9800998ecf8427e", "a digest of an unknown algorithm"],
    ["a".repeat(64), "an identifier"],
    [`${"a/".repeat(130)}a`, "a name that is too long"],
    ["a//b", "an empty part"],
    ["a___b", "three underscores"],
    [" nginx", "a space"],
    ["nginx\n", "a line break"],
  ])("%s has none: %s", (image) => expect(imageTag(image)).toBe(""));

  test("is found in long names without backtracking", () => {
    for (const image of [
      `${"a-".repeat(200_000)}!`,
      `${"a.".repeat(200_000)}/!`,
      `${"a/".repeat(200_000)}!`,
    ]) {
      expect(imageTag(image)).toBe("");
    }
  });
});
