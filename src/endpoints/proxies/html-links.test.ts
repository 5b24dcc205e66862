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
  ["named characters", '<a href="/&apos;&gt;&quot;&lt;">', '<a href="[/&#39;&gt;&#34;&lt;]">'],
  [
    "numbered characters",
    '<a href="/&#1;&#x10ffff;&#x110000;&#0;">',
    '<a href="[/\u0001\u{10ffff}\ufffd\ufffd]">',
  ],
  ["ends of lines", "<a href='/a\r\nb\rc\n&#13;'>", '<a href="[/a\nb\nc\n&#13;]">'],
  ["numbers without a semicolon", '<a href="/&#65&#x42/&#6&#67 &#x43;">', '<a href="[/AB/&amp;#6C C]">'],
  ["numbers of Windows-1252", '<a href="&#128;&#x9f;&#x81;">', '<a href="[€Ÿ\u0081]">'],
  ["numbers of no character", '<a href="&#xd800;&#99999999999999999999;">', '<a href="[\ufffd\ufffd]">'],
  [
    "old names",
    '<a href="/?a&ampb&ampb=&lt=c&lt;=&LT;&apos">',
    '<a href="[/?a&amp;ampb&amp;ampb=&amp;lt=c&lt;=&lt;&amp;apos]">',
  ],
  ["a zero", '<a href="/\0">', '<a href="[/\ufffd]">'],
  ["letters beyond ASCII", "<LIN\u212a HREF=/x><a H\u0130=/x>", '<lin\u212a href="/x"><a h\u0130="/x">'],
  ["a blank beyond ASCII", "<a\u00a0href=/x><a b\u00a0href=/x>", '<a\u00a0href= x=""><a b\u00a0href="/x">'],
  ["the other end of a comment", '<!-- x --!><a href="/y">', '<!-- x --!><a href="[/y]">'],
  ["no end of a comment", "<!--!><a href=/y>", "<!--!><a href=/y>"],
  ["a comment of a dash", "<!---><a href=/y>", '<!---><a href="[/y]">'],
  [
    "a script in a script",
    "<script><!--<script ></script><a href=/x>--></script>",
    "<script><!--<script ></script><a href=/x>--></script>",
  ],
  [
    "a script after a comment",
    "<script><!-- --><script ></script><a href=/x>",
    '<script><!-- --><script ></script><a href="[/x]">',
  ],
  [
    "a script after a short comment",
    "<script><!--><script></script><a href=/x>",
    '<script><!--><script></script><a href="[/x]">',
  ],
  [
    "a script after a sign",
    "<script><!-- < <script></script><a href=/x>",
    '<script><!-- < <script></script><a href="[/x]">',
  ],
  [
    "a script in a script, and more",
    "<script><!--<SCRIPT/<!--></script><a href=/x>",
    '<script><!--<SCRIPT/<!--></script><a href="[/x]">',
  ],
  [
    "two ends of scripts",
    "<script><!--<script></script></script><a href=/x>",
    '<script><!--<script></script></script><a href="[/x]">',
  ],
  [
    "other elements in a script",
    "<script><!--<scripts></script><a href=/x>",
    '<script><!--<scripts></script><a href="[/x]">',
  ],
  ["a short attribute", "<a b href=/x>", '<a b="" href="[/x]">'],
  ["an equals sign in front", "<a =b=c href=/x>", '<a =b="c" href="[/x]">'],
  ["a sign in quotes", '<a href="/x>y">', '<a href="[/x&gt;y]">'],
  ["a comment", '<!-- <a href="/x"> --><a href="/y">', '<!-- <a href="/x"> --><a href="[/y]">'],
  ["a link in a comment", "<!-- > <a href=/x> --><a href=/y>", '<!-- > <a href=/x> --><a href="[/y]">'],
  ["a link in a declaration", "a>b<!x <a href=/x>", "a>b<!x <a href=/x>"],
  ["a quote in a declaration", "<!x a='><a href=/x>'>", "<!x a='><a href=\"[/x]\">'>"],
  ["a quote in an end tag", "</a b='><a href=/x>'>", "</a b='><a href=/x>'>"],
  ["a quote in an end tag without a name", "</ b='><a href=/x>'>", "</ b='><a href=\"[/x]\">'>"],
  ["a link after signs", "1 < 2 <<a href=/x>", '1 < 2 <<a href="[/x]">'],
  [
    "a script with other end tags",
    "<script></style></scripts></script",
    "<script></style></scripts></script",
  ],
  [
    "a link after a script with other end tags",
    "<script></a></scripts><a href=/x></script/><a href=/y>",
    '<script></a></scripts><a href=/x></script/><a href="[/y]">',
  ],
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
  ["an end tag that never ends", "a</a href", "a"],
  ["a declaration without words", "<!><a href=/x>", '<!><a href="[/x]">'],
  ["a comment without words", "<!--><a href=/x>", '<!--><a href="[/x]">'],
  [
    "a script with the start of an end tag",
    "<script></</script><a href=/x>",
    '<script></</script><a href="[/x]">',
  ],
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

// Upstream: apimachinery, pkg/util/proxy/transport.go, atomsToAttrs.
const links: { readonly [element: string]: string } = {
  a: "href",
  applet: "codebase",
  area: "href",
  audio: "src",
  base: "href",
  blockquote: "cite",
  body: "background",
  button: "formaction",
  command: "icon",
  del: "cite",
  embed: "src",
  form: "action",
  frame: "longdesc src",
  head: "profile",
  html: "manifest",
  iframe: "longdesc src",
  img: "longdesc src usemap",
  input: "src usemap formaction",
  ins: "cite",
  link: "href",
  object: "classid codebase data usemap",
  q: "cite",
  script: "src",
  source: "src",
  video: "poster src",
  p: "",
};

test.each(Object.entries(links))("the links of <%s> are in: %s", (element, attributes) => {
  const all = new Set(Object.values(links).flatMap((names) => names.split(" ").filter(Boolean)));
  const tag = changed(`<${element} ${[...all].map((name) => `${name}="/${name}"`).join(" ")}>`);
  const found = [...tag.matchAll(/(\w+)="\[\/\1\]"/g)].map(([, name]) => name);
  expect(new Set(found)).toEqual(new Set(attributes.split(" ").filter(Boolean)));
  expect(tag.match(/=/g)?.length).toBe(all.size);
});

// Upstream: golang.org/x/net/html, token.go, readStartTag.
test.each(["iframe", "noembed", "noframes", "noscript", "script", "style", "textarea", "title", "xmp"])(
  "the content of <%s> is text up to its end",
  (name) => {
    const page = `<${name}><a href=/x></b></${name}>`;
    expect(changed(`${page}<a href=/y>`)).toBe(`${page}<a href="[/y]">`);
  },
);

test("what follows <plaintext> is text", () => {
  const page = "<plaintext><a href=/x></plaintext><a href=/y>";
  expect(changed(page)).toBe(page);
});
