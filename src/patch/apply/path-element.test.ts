import { describe, expect, test } from "vitest";
import { DecodeError } from "../../apimachinery/decode-error.ts";
import {
  canonicalElement,
  compareElements,
  fieldElement,
  formatElement,
  formatPath,
  keyElement,
  sortElements,
  valueElement,
} from "./path-element.ts";

describe("elements are sorted", () => {
  test.each<[string, readonly string[]]>([
    ["the container, fields, keys, values, positions", [".", "f:z", 'k:{"a":"1"}', 'v:"a"', "i:0"]],
    ["names by their bytes", ["f:", "f:A", "f:a", "f:a.b", "f:ab", "f:b", "f:\u{ffff}", "f:\u{10000}"]],
    ["keys by name, then value", ['k:{"a":"2"}', 'k:{"a":"2","b":"1"}', 'k:{"b":"1"}']],
    [
      "numbers by value",
      ['k:{"port":9}', 'k:{"port":19}', 'k:{"port":80}', 'k:{"port":443}', 'k:{"port":8080}'],
    ],
    ["negative numbers and fractions by value", ["v:-2", "v:-1", "v:0", "v:0.5", "v:1", "v:1e+21"]],
    ["positions by value", ["i:-1", "i:2", "i:10"]],
    ["the shorter text first", ['v:""', 'v:" "', 'v:"!"', 'v:"a"', 'v:"a!"']],
    ["escaped text by its unescaped value", ['v:"\\u0026"', 'v:"0"', 'v:"\\u003c"', 'v:"A"', 'v:"\\\\"']],
    ["text with numbers as text", ['v:"a:10"', 'v:"a:9"']],
    ["escaped text by its code points", ['v:"\\\\\u{ffff}"', 'v:"\\\\\u{10000}"']],
    ["kinds of values", ["v:1", 'v:"1"', "v:false", "v:true", "v:[1]", "v:[1,2]", 'v:{"a":1}', "v:null"]],
    ["lists by their items, before objects", ["v:[2,1]", "v:[10]", 'v:["a"]', 'v:["b",1]', 'v:{"a":1}']],
    [
      "the second key if the first is equal",
      ['k:{"p":80,"q":"TCP"}', 'k:{"p":80,"q":"UDP"}', 'k:{"p":81,"q":"A"}'],
    ],
    [
      "the second name if the first key is equal",
      ['k:{"p":80}', 'k:{"p":80,"q":2}', 'k:{"p":80,"qa":1}', 'k:{"p":80,"qb":1}'],
    ],
    ["a number after text with a colon", ['k:{"p":"x:5","q":9}', 'k:{"p":"x:5","q":10}']],
    ["numbers before a long key", ['k:{"p":9,"q":"x"}', 'k:{"p":80,"q":"123456789"}']],
  ])("%s", (_title, elements) => {
    expect(sortElements([...elements].reverse())).toEqual(elements);
    for (const [i, a] of elements.entries()) {
      for (const [j, b] of elements.entries())
        expect(Math.sign(compareElements(a, b))).toBe(Math.sign(i - j));
    }
  });
});

describe("an element", () => {
  test.each([
    ["f:image", ".image"],
    ["f:app.kubernetes.io/name", ".app.kubernetes.io/name"],
    ['k:{"name":"a"}', '[name="a"]'],
    ['k:{"containerPort":80,"protocol":"TCP"}', '[containerPort=80,protocol="TCP"]'],
    ['k:{"port":8000000}', "[port=8e+06]"],
    ['k:{"name":"a\\u003cb"}', '[name="a<b"]'],
    ['v:"example.com/a"', '[="example.com/a"]'],
    ["v:true", "[=true]"],
    ["v:[1,{}]", "[=[1,]]"],
    ['v:{"b":"x","a":1}', '[=a=1b="x"]'],
    ["i:3", "[3]"],
  ])("%s is printed as %s", (element, text) => {
    expect(formatElement(element)).toBe(text);
  });

  test("of a keyed list has sorted keys and Go's escapes", () => {
    expect(keyElement({ protocol: "TCP", containerPort: 80 })).toBe(
      'k:{"containerPort":80,"protocol":"TCP"}',
    );
    expect(valueElement("<&>")).toBe('v:"\\u003c\\u0026\\u003e"');
  });

  test("is converted to canonical form", () => {
    expect(canonicalElement('k:{"b":1, "a":"x"}')).toBe('k:{"a":"x","b":1}');
    expect(canonicalElement('v: "<"')).toBe('v:"\\u003c"');
    expect(canonicalElement("i:+07")).toBe("i:7");
    expect(canonicalElement("i:12")).toBe("i:12");
    expect(canonicalElement("f:")).toBe("f:");
  });

  test("of a field has its name", () => {
    expect(fieldElement("image")).toBe("f:image");
  });

  test("of an unknown kind is ignored", () => {
    expect(canonicalElement("x:anything")).toBeUndefined();
  });

  test.each(["", "f", "fx", "image", "k:1", "k:{", "v:", "v:abc", "i:x", "i:x1", "i:"])(
    "%j is not an element",
    (text) => {
      expect(() => canonicalElement(text)).toThrow(DecodeError);
    },
  );
});

test("a path is printed step by step", () => {
  const path = [
    "f:spec",
    "f:containers",
    'k:{"name":"a"}',
    "f:ports",
    'k:{"containerPort":80,"protocol":"TCP"}',
  ];
  expect(formatPath(path)).toBe('.spec.containers[name="a"].ports[containerPort=80,protocol="TCP"]');
});

test.each([
  ["", "key must be 2 characters long:"],
  ["f", "key must be 2 characters long:"],
  ["fa", "missing colon: fa"],
  ["k:1", "no object of keys: k:1"],
  ["v:{", "no JSON: v:{"],
  ["i:x", "no position: i:x"],
])("the text %j is no element, and the error says why", (text, message) => {
  expect(() => canonicalElement(text)).toThrow(message);
});
