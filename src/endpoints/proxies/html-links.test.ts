import fc from "fast-check";
import { expect, test } from "vitest";
import { withLinks } from "./html-links.ts";

const changed = (page: string) => withLinks(page, (link) => `[${link}]`);

test.each([
  ["a link", '<a href="/x">y</a>', '<a href="[/x]">y</a>'],
  ["several attributes", "<IMG SRC=/a Alt=\"b\" longdesc='c'>", '<img src="[/a]" alt="b" longdesc="[c]">'],
  ["an attribute without a value", "<input disabled src = /a >", '<input disabled="" src="[/a]">'],
  ["an attribute of another element", '<p href="/x">', '<p href="/x">'],
  ["an element without attributes", "<p >", "<p>"],
  ["an element that closes itself", '<link href="/x" />', '<link href="[/x]"/>'],
  ["a slash in a value without quotes", "<a href=/x/>", '<a href="[/x/]"/>'],
  ["entities", '<a href="/x?a=1&amp;b=&#39;&lt;&#x41;">', '<a href="[/x?a=1&amp;b=&#39;&lt;A]">'],
  ["other entities", '<a href="/&copy;&nothing">', '<a href="[/&copy;&amp;nothing]">'],
  ["a sign in quotes", '<a href="/x>y">', '<a href="[/x&gt;y]">'],
  ["a comment", '<!-- <a href="/x"> --><a href="/y">', '<!-- <a href="/x"> --><a href="[/y]">'],
  ["a doctype", "<!DOCTYPE html><br>", "<!DOCTYPE html><br>"],
  ["an end tag", '</A href="/x">', '</A href="/x">'],
  [
    "a script",
    '<script src="/x">"<a href=/y>"</SCRIPT><a href="/z">',
    '<script src="[/x]">"<a href=/y>"</SCRIPT><a href="[/z]">',
  ],
  ["a style that does not end", "<style>a<a href=/x>", "<style>a<a href=/x>"],
  ["signs in text", "1 < 2 <3 > <", "1 < 2 <3 > <"],
  ["a tag that never ends", 'a<b>c<a href="/x', "a<b>c"],
  ["a comment that never ends", "a<!-- b", "a<!-- b"],
  ["text", "plain", "plain"],
  ["nothing", "", ""],
])("%s", (_title, page, expected) => {
  expect(changed(page)).toBe(expected);
});

test("a page whose links stay is in its final form after one pass", () => {
  const piece = fc.constantFrom(
    "<a href=",
    "/x",
    '"',
    "'",
    ">",
    "<",
    "/",
    " ",
    "&amp;",
    "<!--",
    "-->",
    "<script>",
    "</script>",
    "é",
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
      const once = withLinks(pieces.join(""), (link) => link);
      expect(withLinks(once, (link) => link)).toBe(once);
    }),
  );
});
