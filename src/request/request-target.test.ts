import { expect, test } from "vitest";
import { MalformedTargetError, parseTarget } from "./request-target.ts";

test.each([
  ["/api/v1/pods", "/api/v1/pods", []],
  ["/api/v1/pods/a%2Fb%20c", "/api/v1/pods/a/b c", []],
  ["/%e4%bd%a0", "/你", []],
  [
    "/a?watch&b=c+d%2B",
    "/a",
    [
      ["watch", ""],
      ["b", "c d+"],
    ],
  ],
  ["/a?b=%zz&c=1", "/a", [["c", "1"]]],
  ["/a?b;c=1&d=2", "/a", [["d", "2"]]],
  [
    "/a?b=%ff+%2B&&c&%c3%28=1",
    "/a",
    [
      ["b", "\udcff +"],
      ["c", ""],
      ["\udcc3(", "1"],
    ],
  ],
  [
    "/a?b=%e4%bd%a0+1&c",
    "/a",
    [
      ["b", "你 1"],
      ["c", ""],
    ],
  ],
  ["/a?=%ff", "/a", [["", "\udcff"]]],
  ["/a?b=c?d", "/a", [["b", "c?d"]]],
  ["", "", []],
  ["*", "*", []],
  ["https://cluster.test:6443/version?a=b", "/version", [["a", "b"]]],
  ["https://cluster.test/api/", "/api/", []],
  ["https://cluster.test?a=/", "", [["a", "/"]]],
  ["HTTP://x", "", []],
  // Go accepts bytes that are not UTF-8; an unpaired surrogate stands for each of them.
  ["/a%ffb%41", "/a\udcffbA", []],
  ["/%ef%bb%bf%c3", "/\ufeff\udcc3", []],
  ["/%e4%bd%a0%e4%bd", "/\u4f60\udce4\udcbd", []],
  ["/%ed%a0%80", "/\udced\udca0\udc80", []],
])("%s", (target, path, pairs) => {
  const parsed = parseTarget(target);
  expect([parsed.path, [...parsed.query]]).toEqual([path, pairs]);
});

test.each(["/%", "/%4", "/%zz", "/a%2"])("%s is malformed", (target) => {
  expect(() => parseTarget(target)).toThrow(MalformedTargetError);
  expect(() => parseTarget(target)).toThrow(
    expect.objectContaining({ name: "MalformedTargetError", message: target }),
  );
});
