//! Random nested datatypes agree with their type maps.

use proptest::collection::vec;
use proptest::prelude::*;

use super::super::{Basic, Darray, Datatype, Distribution, Order, Subarray};
use super::reference::Map;

fn basic() -> impl Strategy<Value = Datatype> {
    proptest::sample::select(Basic::ALL).prop_map(Datatype::from)
}

fn order() -> impl Strategy<Value = Order> {
    prop_oneof![Just(Order::C), Just(Order::Fortran)]
}

fn subarray() -> impl Strategy<Value = Subarray> {
    let dimension = (1..5_i64).prop_flat_map(|size| {
        (1..=size).prop_flat_map(move |subsize| (Just(size), Just(subsize), 0..=size - subsize))
    });
    (vec(dimension, 1..4), order()).prop_map(|(dimensions, order)| Subarray {
        sizes: dimensions.iter().map(|dimension| dimension.0).collect(),
        subsizes: dimensions.iter().map(|dimension| dimension.1).collect(),
        starts: dimensions.iter().map(|dimension| dimension.2).collect(),
        order,
    })
}

fn darray() -> impl Strategy<Value = Darray> {
    let dimension = (1..8_i64, 1..4_i64).prop_flat_map(|(size, processes)| {
        let enough = (size + processes - 1) / processes;
        prop_oneof![
            Just((size, processes, Distribution::Block, None)),
            (enough..enough + 3).prop_map(move |block| (
                size,
                processes,
                Distribution::Block,
                Some(block)
            )),
            Just((size, processes, Distribution::Cyclic, None)),
            (1..4_i64).prop_map(move |block| (size, processes, Distribution::Cyclic, Some(block))),
            Just((size, 1, Distribution::None, None)),
        ]
    });
    (vec(dimension, 1..4), order(), any::<u32>()).prop_map(|(dimensions, order, rank)| {
        let size: i64 = dimensions.iter().map(|dimension| dimension.1).product();
        Darray {
            size,
            rank: i64::from(rank) % size,
            sizes: dimensions.iter().map(|dimension| dimension.0).collect(),
            distributions: dimensions.iter().map(|dimension| dimension.2).collect(),
            arguments: dimensions.iter().map(|dimension| dimension.3).collect(),
            processes: dimensions.iter().map(|dimension| dimension.1).collect(),
            order,
        }
    })
}

/// One constructor around another type.
fn derived(of: BoxedStrategy<Datatype>) -> BoxedStrategy<Datatype> {
    let count = 0..4_i64;
    let places = || vec((0..3_i64, -20..40_i64), 0..4);
    let split = |blocks: Vec<(i64, i64)>| blocks.into_iter().unzip::<_, _, Vec<_>, Vec<_>>();
    prop_oneof![
        of.clone().prop_map(|of| of.dup()),
        (count.clone(), of.clone()).prop_map(|(n, of)| Datatype::contiguous(n, &of)),
        (count.clone(), count.clone(), -4..6_i64, of.clone())
            .prop_map(|(n, block, stride, of)| Datatype::vector(n, block, stride, &of)),
        (count.clone(), count.clone(), -40..60_i64, of.clone())
            .prop_map(|(n, block, stride, of)| Datatype::hvector(n, block, stride, &of)),
        (places(), of.clone()).prop_map(move |(blocks, of)| {
            let (blocks, places) = split(blocks);
            Datatype::indexed(&blocks, &places, &of)
        }),
        (places(), of.clone()).prop_map(move |(blocks, of)| {
            let (blocks, places) = split(blocks);
            Datatype::hindexed(&blocks, &places, &of)
        }),
        (count.clone(), vec(-5..9_i64, 0..4), of.clone())
            .prop_map(|(block, places, of)| Datatype::indexed_block(block, &places, &of)),
        (count, vec(-50..90_i64, 0..4), of.clone())
            .prop_map(|(block, places, of)| Datatype::hindexed_block(block, &places, &of)),
        vec((0..3_i64, -20..40_i64, of.clone()), 0..4).prop_map(|fields| {
            let blocks: Vec<i64> = fields.iter().map(|field| field.0).collect();
            let places: Vec<i64> = fields.iter().map(|field| field.1).collect();
            let types: Vec<Datatype> = fields.into_iter().map(|field| field.2).collect();
            Datatype::structure(&blocks, &places, &types)
        }),
        (-20..20_i64, -20..80_i64, of.clone())
            .prop_map(|(lower, extent, of)| of.resized(lower, extent)),
        (subarray(), of.clone()).prop_map(|(array, of)| Datatype::subarray(array, &of)),
        (darray(), of).prop_map(|(array, of)| Datatype::darray(array, &of)),
    ]
    .prop_map(Result::unwrap)
    .boxed()
}

/// Any datatype of moderate size.
pub(super) fn datatype() -> impl Strategy<Value = Datatype> {
    let nested = basic().boxed().prop_recursive(3, 16, 3, |of| derived(of.boxed()));
    nested.prop_filter("small enough to list", |of| of.basic_elements() < 2000)
}

/// The addresses of the packed bytes in a range, one by one.
fn addresses(datatype: &Datatype, count: i64, range: std::ops::Range<u64>) -> Vec<i64> {
    let mut addresses = Vec::new();
    datatype.for_each_run(count, range, |offset, bytes| {
        assert!(bytes > 0);
        addresses.extend(offset..offset + bytes as i64);
    });
    addresses
}

/// A buffer around the data of some elements, and the index of the buffer's address in it.
fn buffer(datatype: &Datatype, count: i64) -> (Vec<u8>, usize) {
    let span = datatype.span(count).unwrap();
    let (before, behind) = (span.start.min(0).unsigned_abs(), span.end.max(0) as u64);
    let bytes = (0..before + behind).map(|index| (index * 37 % 251) as u8 + 1).collect();
    (bytes, before as usize)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn sizes_and_bounds_follow_from_the_type_map(datatype in datatype()) {
        let map = Map::of(&datatype);
        prop_assert_eq!(datatype.size(), map.size());
        prop_assert_eq!(datatype.basic_elements(), map.basics().len() as u64);
        let upper = datatype.lower_bound() + datatype.extent();
        prop_assert_eq!((datatype.lower_bound(), upper), map.bounds());
        let upper = datatype.true_lower_bound() + datatype.true_extent();
        prop_assert_eq!((datatype.true_lower_bound(), upper), map.data());
    }

    #[test]
    fn runs_cover_the_bytes_in_order(datatype in datatype(), count in 0..4_i64) {
        let bytes = Map::of(&datatype).bytes(count);
        prop_assert_eq!(addresses(&datatype, count, 0..u64::MAX), bytes.clone());
        let is_run = bytes.iter().enumerate().all(|(index, at)| *at == index as i64);
        if datatype.is_contiguous() {
            prop_assert!(is_run);
        }
    }

    #[test]
    fn parts_of_the_packed_bytes_are_found(
        datatype in datatype(), count in 0..4_i64, from: u16, length: u16,
    ) {
        let bytes = Map::of(&datatype).bytes(count);
        let from = usize::from(from) % (bytes.len() + 1);
        let to = (from + usize::from(length) % 40).min(bytes.len());
        let part = addresses(&datatype, count, from as u64..to as u64);
        prop_assert_eq!(part, bytes[from..to].to_vec());
    }

    #[test]
    fn basic_elements_come_in_order(datatype in datatype(), count in 0..3_i64) {
        let mut visited = Vec::new();
        datatype.for_each_basic(count, |basic, offset| {
            visited.extend(basic.parts().map(|(part, at)| (part, offset + at as i64)));
        });
        let map = Map::of(&datatype);
        let all = (0..count).flat_map(|index| {
            let by = index * map.extent();
            map.basics().into_iter().map(move |(basic, at)| (basic, at + by))
        });
        prop_assert_eq!(visited, all.collect::<Vec<_>>());
    }

    #[test]
    fn packing_and_unpacking_restores_the_data(datatype in datatype(), count in 0..4_i64) {
        let (source, origin) = buffer(&datatype, count);
        let mut packed = Vec::new();
        datatype.pack_into(count, &source, origin, &mut packed).unwrap();
        prop_assert_eq!(packed.len() as u64, datatype.packed_size(count).unwrap());
        let mut target = vec![0; source.len()];
        let (head, tail) = packed.split_at(packed.len() / 3);
        datatype.unpack_part(count, head.len() as u64, tail, &mut target, origin).unwrap();
        datatype.unpack(count, head, &mut target, origin).unwrap();
        let mut expected = vec![0; source.len()];
        for at in Map::of(&datatype).bytes(count) {
            let index = (origin as i64 + at) as usize;
            expected[index] = source[index];
        }
        prop_assert_eq!(target, expected);
    }

    #[test]
    fn partial_data_counts_whole_elements(datatype in datatype(), copies in 0..3_u64) {
        let basics = Map::of(&datatype).basics();
        let mut bytes = copies * datatype.size();
        let mut elements = copies * basics.len() as u64;
        for (basic, _) in basics {
            prop_assert_eq!(datatype.elements(bytes), Some(elements));
            prop_assert_eq!(datatype.bytes_of_elements(elements), Some(bytes));
            if basic.size() > 1 {
                prop_assert_eq!(datatype.elements(bytes + 1), None);
            }
            bytes += basic.size();
            elements += 1;
        }
        prop_assert_eq!(datatype.elements(bytes), Some(elements));
    }

    #[test]
    fn signatures_are_those_of_the_elements(datatype in datatype(), count in 0..3_i64) {
        let basics = Map::of(&datatype).basics();
        let types: Vec<Datatype> = basics.iter().map(|(basic, _)| (*basic).into()).collect();
        let zeros = vec![0; types.len()];
        let flat = Datatype::structure(&vec![1; types.len()], &zeros, &types).unwrap();
        prop_assert_eq!(datatype.signature(count), flat.signature(count));
        let some = basics.len() as u64 * 2 / 3;
        prop_assert_eq!(datatype.signature_of_elements(some), flat.signature_of_elements(some));
    }

    #[test]
    fn external32_converts_element_by_element(datatype in datatype(), count in 0..3_i64) {
        let (source, origin) = buffer(&datatype, count);
        let mut target = vec![0; source.len()];
        let (mut portable, mut expected) = (Vec::new(), target.clone());
        let map = Map::of(&datatype);
        for index in 0..count {
            for (basic, at) in map.basics() {
                let start = (origin as i64 + index * map.extent() + at) as usize;
                let end = start + basic.size() as usize;
                let before = portable.len();
                basic.to_external32(&source[start..end], &mut portable);
                basic.from_external32(&portable[before..], &mut expected[start..end]);
            }
        }
        let mut packed = Vec::new();
        datatype.pack_external32(count, &source, origin, &mut packed).unwrap();
        prop_assert_eq!(&packed, &portable);
        let size = datatype.external32_size(count);
        prop_assert_eq!(size.clone(), Ok(packed.len() as u64));
        prop_assert_eq!(datatype.unpack_external32(count, &packed, &mut target, origin), size);
        prop_assert_eq!(target, expected);
    }
}
