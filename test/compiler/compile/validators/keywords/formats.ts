/** format (JSON Schema Validation, 7), which this engine asserts. Values of other types are accepted. */
import type { Row, Table } from './table.ts'

const format = (name: string, takes: readonly string[], refuses: readonly string[]): Row => ({
  about: name,
  schema: { format: name },
  takes: [...takes.map((text) => JSON.stringify(text)), '1', 'null', '{}', '[]'],
  refuses: refuses.map((text) => JSON.stringify(text))
})

export const formats: Table = {
  format: [
    format(
      'date',
      ['2026-11-21', '2024-02-29', '2000-02-29', '1999-12-31'],
      [
        '2023-02-29',
        '1900-02-29',
        '2026-13-01',
        '2026-00-10',
        '2026-04-31',
        '26-1-1',
        '2026-11-21Z',
        '20261121',
        '2026-W47',
        ''
      ]
    ),
    format(
      'time',
      ['20:57:08Z', '20:57:08.123z', '20:57:08+01:30', '23:59:60Z', '00:59:60+01:00'],
      ['24:00:00Z', '20:60:00Z', '20:57:61Z', '22:59:60Z', '20:57Z', '20:57:08', '20:57:08+25:00', '']
    ),
    format(
      'date-time',
      ['2026-11-21T20:57:08Z', '2026-11-21t20:57:08.5-08:00', '1998-12-31T23:59:60Z'],
      [
        '2026-11-21',
        '2026-11-21T20:57:08',
        '2026-02-30T20:57:08Z',
        '2026-11-21T25:00:00Z',
        '2026-325T01:01:01Z',
        '1998-12-31T22:59:60Z'
      ]
    ),
    format(
      'duration',
      ['P1Y2M3DT4H5M6S', 'PT0S', 'P2W', 'P1D', 'PT36H'],
      ['P', 'PT', 'P1', 'P2D1Y', 'P1DT', '1D', 'P1Y2W', 'P0.5Y']
    ),
    format(
      'email',
      ['ada@example.org', 'a.b+c@example.org', 'x@a.b'],
      ['ada', 'ada@', '@example.org', 'a@b@c', '.ada@example.org', 'ada.@example.org', 'a..b@example.org']
    ),
    format(
      'hostname',
      ['example.org', 'a', 'xn--4gbwdl.xn--wgbh1c', '1a.b2', 'a-b.c'],
      ['-a.org', 'a-.org', 'a_b.org', `${'a'.repeat(64)}.org`, '', 'a..b', '.a']
    ),
    format(
      'ipv4',
      ['192.0.2.1', '0.0.0.0', '255.255.255.255'],
      ['256.0.0.1', '192.0.2', '192.0.2.1.5', '192.0.2.01', '0x7f.0.0.1', '192.0.2.1/24', '']
    ),
    format(
      'ipv6',
      ['::1', '::', '2001:db8::ff00:42:8329', '1:2:3:4:5:6:7:8', '::ffff:192.0.2.1'],
      [
        '12345::',
        '1:2:3:4:5:6:7',
        '1:2:3:4:5:6:7:8:9',
        '1::2::3',
        '::g',
        '::1/64',
        'fe80::1%eth0',
        '1:2:3:4:5:6:7:192.0.2.1',
        ''
      ]
    ),
    format(
      'uri',
      [
        'https://example.org/a?b=c#d',
        'urn:oasis:names',
        'mailto:ada@example.org',
        'ldap://[2001:db8::7]/c=GB'
      ],
      [
        '/a/b',
        '//example.org',
        'a b',
        'https://a b',
        'https://example.org/<x>',
        'x',
        'https:// shouldfail.com',
        ':// a'
      ]
    ),
    format(
      'uri-reference',
      ['https://example.org', '/a/b', 'a', '#b', '?c', '//example.org', ''],
      ['\\\\WINDOWS\\share', 'a b', '#a\\b']
    ),
    format(
      'uri-template',
      ['https://example.org/{a}/{b}', '{+path}', 'plain', ''],
      ['https://example.org/{a', '{a', 'a}{']
    ),
    format(
      'uuid',
      [
        '0b7f5cb6-57cd-4d3b-9d51-6f0d3d1a9f0e',
        '0B7F5CB6-57CD-4D3B-9D51-6F0D3D1A9F0E',
        '00000000-0000-0000-0000-000000000000'
      ],
      [
        '0b7f5cb657cd4d3b9d516f0d3d1a9f0e',
        '0b7f5cb6-57cd-4d3b-9d51-6f0d3d1a9f0',
        '0b7f5cb6-57cd-4d3b-9d51-6f0d3d1a9f0g',
        '0b7f5cb6-57cd4-d3b-9d51-6f0d3d1a9f0e',
        ''
      ]
    ),
    format('json-pointer', ['', '/a/b', '/a~0b/c~1d', '/', '/%'], ['a', '#/a', '/a~', '/a~2']),
    format('relative-json-pointer', ['0', '1/a', '0#', '120/a/b'], ['', '/a', '-1/a', '01/a', '0##', 'a']),
    format('regex', ['^a+$', '', '\\p{L}', '(a)\\1'], ['(', 'a{2,1}', '[b-a]']),
    format('byte', ['aGVsbG8=', '', 'AAAA'], ['aGVsbG8', '?', 'a']),
    {
      about: 'int32, of numbers',
      schema: { type: 'integer', format: 'int32' },
      takes: ['0', '2147483647', '-2147483648', '1e3'],
      refuses: ['2147483648', '-2147483649', '1.5', '"1"']
    },
    {
      about: 'int64, of numbers, exactly',
      schema: { type: 'integer', format: 'int64' },
      takes: ['9223372036854775807', '-9223372036854775808', '9007199254740993'],
      refuses: ['9223372036854775808', '-9223372036854775809', '1e19', '0.5']
    },
    {
      about: 'int32 and int64 beside any type: integers, of numbers',
      schema: { items: { format: 'int64' }, prefixItems: [{ format: 'int32' }] },
      takes: ['[2147483647, 9223372036854775807]', '[-1.0, 1e3]', '["a", "a"]', '[null, null, true, [], {}]'],
      refuses: [
        '[2147483648]',
        '[1.5]',
        '[0, 1.5]',
        '[0, 9223372036854775808]',
        '[0, 1e400]',
        '[0, 9.000000000000000001]'
      ]
    },
    {
      about: 'a name that is not known',
      schema: { format: 'colour' },
      takes: ['"anything"', '1'],
      refuses: []
    },
    {
      about: 'with a pattern, both apply',
      schema: { format: 'date', pattern: '^2' },
      takes: ['"2026-01-01"'],
      refuses: ['"1999-01-01"', '"2"']
    },
    {
      about: 'under a union',
      schema: { anyOf: [{ format: 'date' }, { format: 'ipv4' }] },
      takes: ['"2026-01-01"', '"192.0.2.1"'],
      refuses: ['"x"']
    }
  ]
}
