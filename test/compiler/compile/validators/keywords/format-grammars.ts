/** Formats by the grammars of their RFCs: texts of each rule, and neighbours that no rule makes. */
import { type Row, words } from './table.ts'

/** @param takes texts without spaces, in one text; so is `refuses` */
const rule = (name: string, about: string, takes: string, refuses: string): Row => ({
  about: `${name}: ${about}`,
  schema: { format: name },
  takes: words(takes).map((text) => JSON.stringify(text)),
  refuses: words(refuses).map((text) => JSON.stringify(text))
})

const texts = (name: string, about: string, refused: readonly string[]): Row => ({
  ...rule(name, about, '', ''),
  refuses: refused.map((text) => JSON.stringify(text))
})

export const formatGrammars: Readonly<Record<string, readonly Row[]>> = {
  format: [
    rule(
      'time',
      'a leap second at the end of a day of UTC, in any offset',
      '23:59:60Z 23:59:60.5+00:00 01:29:60+01:30 15:59:60-08:00 23:29:60+23:30 00:29:60-23:30',
      '22:59:60Z 23:58:60Z 23:59:60+01:00 23:59:60-00:30 00:00:60+01:00 12:00:61Z'
    ),
    rule(
      'time',
      'offset and digits',
      '08:30:06-00:00 08:30:06.283185999999z',
      '24:00:00Z 20:60:00Z 20:57Z 08:30:06 08:30:06+0130 08:30:06+01 08:30:06+24:00 08:30:06+00:60 8:30:06Z 08:30:06Z+00:30 08:30:06,5Z 08:30:06.Z 1২:00:00Z'
    ),
    rule(
      'date',
      'leap years and months',
      '2000-02-29 2024-02-29 1999-12-31',
      '1900-02-29 2023-02-29 2024-02-30 2026-13-01 2026-00-10 2026-04-31 26-1-1 2026-11-21Z 20261121 2026-W47'
    ),
    rule(
      'date-time',
      'a leap second at the end of a month of UTC',
      '1998-12-31T23:59:60Z 1990-12-31T15:59:60-08:00 2017-01-01T00:59:60.25+01:00 2012-06-30T23:59:60Z',
      '1998-12-31T23:58:60Z 1998-12-30T23:59:60Z 2017-01-01T23:59:60+01:00 1998-12-31T23:59:61Z'
    ),
    rule(
      'date-time',
      'T between date and time, in any case',
      '1963-06-19t08:30:06z',
      '1963-06-19_08:30:06Z 1963-06-19 19T08:30:06Z 1963-6-19T08:30:06Z +1963-06-19T08:30:06Z 1963-06-1৪T00:00:00Z 1963-02-29T00:00:00Z 2026-11-21T20:57:08 2026-11-21T25:00:00Z 2026-325T01:01:01Z'
    ),
    rule('iso-time', 'with or without an offset', '08:30:06 08:30:06Z', '08:30 24:00:00 22:59:60'),
    rule(
      'iso-date-time',
      'with or without an offset',
      '2026-01-02T08:30:06 2026-01-02T08:30:06+01:00',
      '2026-01-02 2026-01-32T08:30:06 2026-01-02T08:30'
    ),
    rule(
      'duration',
      'units in order, none left out between two',
      'P1Y2M3DT4H5M6S P1Y2M P1M2D PT1H2M PT1M2S P01D PT0S P2W',
      'P PT P1 P1DT 1D P1Y2D PT1H2S P2S PT1D P1D2H P1W2D P0Y1W P1WT1H -P1D P-1D PT0.5S PT0,5S P1YT P T1S p1d P২Y'
    ),
    rule(
      'email',
      'atoms, quoted strings and address literals',
      `"joe..bloggs"@example.com "joe@bloggs"@example.com ""@a.example "\\""@a.example te~st@example.com a@[127.0.0.1] a@[IPv6:::1] a@[ipv6:2001:db8::7] a@[IPv6:1:2:3:4:5:6::] a@[IPv6:1:2:3:4:5:6:7:8] a@c--n.example a@123.example a@io`,
      `ada @a.example .a@b.example a.@b.example a..b@c.example a@b@c.example a@-b.example a@b-.example a@.b a@b. a@b..c a@[127.0.0.300] a@[1.2.3] a@[] a@[IPv6:1] a@[tag:x] a@[IPv6:1:2:3:4:5:6:7::] a@[IPv6:::2:3:4:5:6:7:8] a@[IPv6:1::2:3:4:5:1.2.3.4] a@[1.2.3.04] a@[::1] a@b[1.2.3.4] "a@b "a"b@c a,b@c a(b)@c a\\@b@c é@b.example a@é.example a@`
    ),
    texts('email', 'spaces and control characters', [
      'a b@c.example',
      ' a@b.example',
      'a@b.example ',
      'a@b.example\n',
      'a\t@b.example',
      '\u007f@b.example'
    ]),
    rule(
      'hostname',
      'letters, digits and hyphens',
      'a 1 a.1 A-B.example ab--c.example',
      'a_b a. .a a..b -a a- a.-b é.example a,b'
    ),
    texts('hostname', 'length', ['', `${'a'.repeat(64)}.example`, `${'a.'.repeat(127)}a`]),
    rule(
      'hostname',
      'A-labels of letters, digits and marks',
      'xn--4gbwdl.xn--wgbh1c XN--zca29lwxobi7a xn--zca40iep xn--a-xbb29c xn--a-fka60l xn--ihqwcrb4cv8a8dqg056pqjye xn--mgbh0fb xn--nxasmq6b',
      'xn-- xn--- xn--X xn--a xn--abc- xn--hello-txk xn--hello-zed xn--hello-6bf xn--07jceefgh4c xn--chb89f XN--aa---o47jg78q xn--99999999 xn--999999b'
    ),
    rule(
      'hostname',
      'A-labels whose characters need a context',
      'xn--ll-0ea xn--11b2ezcw70k xn--11b2ezcs70k xn--ngba5hb2804a xn--ngba8ha8704a xn--wva3je xn--4dbc5h xn--4dbc8h',
      'xn--l-fda xn--la-0ea xn--al-0ea xn--11b2er09f xn--vek xn--5db1e xn--A-2hc5h xn--a-jib3p xn--a-0jc xn--a-2jc xn--1-zhc94b xn--4db40amo xn--ngba1o242h xn--ngba1o142h xn--ngbaa1uj78ica xn--1-0mca526xba'
    ),
    rule(
      'ipv4',
      'four octets without leading zeros',
      '87.10.0.1 1.2.3.255',
      '087.10.0.1 1.2.3.256 1.2.3. 1.2.3.4. 1.2.3.4.5 1.2..4 0x7f.0.0.1 2130706433 1.2.3.২'
    ),
    rule(
      'ipv6',
      'eight groups, or fewer beside ::',
      '1::8 ::8 1:2:3:4:5:6:7:: ::2:3:4:5:6:7:8 1:2:3:4:5:6:1.2.3.4 1::1.2.3.4 ABCD::',
      ': ::: 1:2:3:4:5:6:7 1:2:3:4:5:6:7:8:: 1::2::3 :1 1: 12345::1 ::1.2.3 ::1.2.3.256 1.2.3.4 1.2.3.4:: ::1%25eth0 [::1] 1:2:3:4:5:6:7:1.2.3.4 ::-1'
    ),
    rule(
      'uri',
      'a scheme, and the characters of each component',
      "http://a.example:80/b?c#d http://user@ http://:80 http://a.example: http://a.example:999999999 http://!$&'()*+,;=.com http://999.999.999.999/ http://[v1.fe]/ http://[::ffff:1.2.3.4]:8/ a: a:b?c?d/e#f/g?h tel:+1-816-555 file:///a a://b//c",
      'a.example //a.example /a 1a:b a_b:c http://a:b:80 http://a:80a http://a@b@c http://[::1 http://[::1]a http://[1]/ http://[v.x]/ http://[z]/ http://a/%6 http://a/%zz http://a/% http://a/"b http://a/<b> http://a/{b} http://a\\b http://a/^ http://a/`b http://a/b|c http://a/#b#c http://a/[b] http://é.example/ bar,baz:foo'
    ),
    texts('uri', 'spaces and line feeds', ['a:b c', 'http://a /', 'a:b\n', ' a:b']),
    rule(
      'uri-reference',
      'relative references',
      '/a?b#c //a.example/b ./a:b a/b:c ?b #c // http://a/',
      '1:b :b //[::ffff:1.2.3.04]/ //a:b/c //a@b@c/ /%zz /[a] #a#b #\\ é /é'
    ),
    rule(
      'url',
      'a URI with a host',
      'https://a.example/b ftp://a http://localhost:3000 http://u:p@a:80 http://[::1]?b x://@a',
      'a:b mailto:a@b /a //a http:///a https://a/é http://:80 http://@ http://u@/ http://u:p@:80#a'
    ),
    rule(
      'iri',
      'characters beyond ASCII but in the scheme; private ones in a query only',
      'http://é.example/日本?\ue000#ü a:é http://ƒøø.example/\u{1f600}',
      'é://a /é http://a/\ue000 http://a/#\ue000 http://é:é/ http://a/\ufdd0 http://a/\u{1ffff} http://a/<é>'
    ),
    rule('iri-reference', 'relative references', '/é?ü#日 é //é', '\\é #é\\ é:b /é{a}'),
    rule(
      'uri-template',
      'literals and expressions',
      "/{a} {+a,b} {?a:3,b*} {/a.b} {%41} {#a_1} /é'",
      '{ } {} {a {a}} {{a}} {a,} {a:0} {a:10000} {a*b} {-a} {a-b} a%zz a<b a|b {a.} {$a}'
    ),
    rule(
      'uri-template',
      'characters beyond ASCII, private ones included; no expression completes an octet',
      '/é{a}日 \ue000 \u{1f600} \u{100000} %41{a}',
      '%{a}41 %4{a}1 \u0085 \ufdd0 \ufffd \u{1fffe} \u{e0001} \ud800 {é}'
    ),
    rule(
      'uuid',
      'without a prefix',
      '2eb8aa08-aa98-11ea-b4aa-73b441d16380 2EB8AA08-AA98-11EA-B4AA-73B441D16380',
      'urn:uuid:2eb8aa08-aa98-11ea-b4aa-73b441d16380 {2eb8aa08-aa98-11ea-b4aa-73b441d16380} 2eb8aa08aa98-11ea-b4aa73b441d16380 2eb8aa08-aa98-11ea-b4aa-73b441d1638 2eb8aa08-aa98-11ea-b4aa-73b441d1638g 2eb8aa08-aa981-1ea-b4aa-73b441d16380'
    ),
    rule('json-pointer', 'escapes', '/ // /~0~1 /a//b /%41 /é', 'a ~0 /~ /~~0 /~1.1~ #/a'),
    rule(
      'json-pointer-uri-fragment',
      'escapes of both kinds',
      '# #/a~1b/%20 #/%7e1 #/~%30 #/%C3%A9',
      '/a a #a #/~ #/~2 #/% #/é #/{ #/%7E #/%7e2 #/%ff #/#a'
    ),
    rule(
      'relative-json-pointer',
      'steps, an index, and a pointer',
      '0 1/a 0# 2+1/a 0-1 12 0+1# 0-0',
      '01 -1/a +1/a 0## 0#/a 0+1#/a 0+1## 0-01# 1a 0+/a 0+1-1'
    ),
    rule(
      'regex',
      'of ECMA-262 with the flag u',
      '^\\p{L}+$ (?<a>b)\\k<a>',
      '\\Z *a ( [b-a] (?<a) \\p{Nope} a{2,1}'
    ),
    rule('byte', 'Base64 in groups of four', 'aGk= aA== AA+/', 'aGk aGk== a=== = ==== aG=k aG-_ aGk=aGk=')
  ]
}
