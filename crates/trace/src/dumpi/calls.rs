//! Which function is which, and what arguments it has.

/// Ends the calls of a rank.
pub(super) const END_OF_STREAM: u16 = 293;

/// The arguments of a function as letters: `i` an int or a request, `h` a handle of 16 bits, `b` a
/// byte, `q` a number of 64 bits, `I` a list of ints, `J` a list of such lists, `D` a list of
/// handles, `B` one of bytes, `S` statuses, `C` characters, `A` several texts, `T` several lists of
/// texts. `r` is the rank of the caller and `R` the root, both ints; what stands behind `?` is
/// there if they are the same. None if there is no such function.
pub(super) fn arguments(function: u16) -> Option<&'static str> {
    Some(match function {
        // Messages and requests.
        0 | 3..=5 => "ihiih",
        1 => "ihiihS",
        2 | 48 | 175 => "Shi",
        8..=12 | 26..=30 => "ihiihi",
        13 | 283 => "iS",
        14 | 216 | 282 => "iiS",
        16 | 19 | 284 | 287 => "iIiS",
        17 | 286 => "iIiiS",
        18 | 285 => "iIS",
        20 | 21 | 288 | 289 => "iIiIS",
        22 => "iihiS",
        23 => "iihS",
        25 | 174 => "Si",
        32 => "iI",
        33 => "ihiiihiihS",
        34 => "ihiiiihS",
        // Datatypes.
        35 => "ihh",
        36 | 37 | 219 => "iiihh",
        38 | 39 | 218 => "iIIhh",
        40 | 222 => "iIIDh",
        49 => "ihiiih",
        50 => "iiiihh",
        51 => "ihhi",
        181 => "iiihiiiIID",
        182 => "hiiib",
        186 => "bih",
        214 => "Cihiii",
        215 => "Cihi",
        217 => "iiiIBIIbhh",
        220 => "iiIhh",
        223 => "iIIIbhh",
        226 => "Ciiiih",
        // Collectives.
        53 => "ihih",
        54 | 56 => "rihRh?i?h",
        55 => "riihRh?I?Ih",
        57 => "rihihRh?I?I",
        58 | 60 => "ihihh",
        59 => "iihIIhh",
        61 => "iIIhIIhh",
        62 => "ihbih",
        63 => "ib",
        65 | 67 | 156 => "ihbh",
        66 => "iIhbh",
        155 => "iIIDIIDh",
        // Groups, communicators and their shapes.
        70 => "hiIhI",
        71 | 83 => "hhb",
        73..=75 | 85 => "hhh",
        76 | 77 => "hiIh",
        78 | 79 => "hiJh",
        86 | 221 => "hiih",
        91 => "hihiih",
        96 | 102 | 108 | 224 | 225 => "hii",
        98 | 237 => "hb",
        99 => "hiIIih",
        100 => "iiII",
        101 => "ihiIIih",
        103 => "iihiiII",
        105 => "ihiIII",
        106 => "ihIi",
        107 | 109 => "ihiiI",
        110 => "hiiii",
        111 => "ihIh",
        112 => "hiIIi",
        113 => "ihiIIi",
        // Names, errors, ports and processes.
        114 => "Ci",
        120 => "iCi",
        124 => "A",
        129 | 278 => "C",
        130 | 131 => "Chihh",
        135 => "rRhh?C?A?i?h?I",
        136 => "irRhh?i?A?T?I?D?I",
        137 | 139 | 140 => "ChC",
        138 | 167 | 185 | 194 | 206 => "hC",
        159 => "iC",
        164 | 180 | 191 | 277 => "hhi",
        165 | 183 | 192 => "hCi",
        171 => "Abb",
        209 => "hCiCi",
        211 => "hiC",
        212 => "hCii",
        213 => "hCC",
        // Windows.
        141 => "ihiiihbh",
        142 | 143 => "ihiiihh",
        145 => "iihhh",
        146 => "bh",
        149 => "bibh",
        150 | 151 => "hbh",
        // Files.
        230 => "hCbhh",
        232 => "Ch",
        233..=235 | 255 | 264 => "hq",
        240 => "hqhhCh",
        241 => "hqhhC",
        242..=245 => "hqihS",
        246 | 247 => "hqihi",
        248..=251 | 257 | 258 | 261 | 262 => "hihS",
        252 | 253 | 259 | 260 => "hihi",
        254 | 263 => "hqb",
        256 => "hqq",
        265 | 267 => "hqih",
        92 | 269 | 271 | 273 | 275 => "hih",
        266 | 268 | 270 | 272 | 274 | 276 => "hS",
        // What is short, of all kinds.
        122 | 123 | 125 | 203 => "",
        64 | 173 => "b",
        6 | 7 | 15 | 24 | 31 | 41 | 126 | 157 | 169 | 170 | 172 | 202 | 204 => "i",
        115 | 121 | 158 => "ii",
        134 | 153 | 195 => "ih",
        46 | 47 | 52 | 80 | 87 | 93 | 94 | 116 | 119 | 132 | 133 | 144 | 147 | 154 => "h",
        161 | 163 | 176 | 179 | 188 | 190 | 196 | 199 | 205 | 208 | 227 | 231 | 281 => "h",
        72 | 84 | 90 | 117 | 118 | 148 | 162 | 166 | 177 | 178 | 184 | 189 | 193 | 197 => "hh",
        198 | 200 | 201 | 207 | 228 | 229 | 236 | 238 | 239 => "hh",
        42..=45 | 68 | 69 | 81 | 82 | 88 | 89 | 95 | 97 | 104 | 127 | 152 | 160 | 168 => "hi",
        187 | 210 | 279 | 280 => "hi",
        // A function of the program begins or ends.
        291 | 292 => "q",
        _ => return None,
    })
}

/// Calls for files, and for their requests.
pub(super) fn is_of_a_file(function: u16) -> bool {
    matches!(function, 230..=277 | 279..=289)
}

/// Calls for files that give a request.
pub(super) fn begins_in_a_file(function: u16) -> bool {
    matches!(function, 246 | 247 | 252 | 253 | 259 | 260)
}

/// The names of calls that are told of, but cannot be replayed.
pub(super) fn left_out(function: u16) -> Option<&'static str> {
    Some(match function {
        130 => "MPI_Comm_accept",
        131 => "MPI_Comm_connect",
        135 => "MPI_Comm_spawn",
        136 => "MPI_Comm_spawn_multiple",
        _ => return None,
    })
}
