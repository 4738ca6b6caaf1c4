//! Clusters learnt and drawn, against what can be computed by hand and against each other.

use super::*;
use crate::kernels::{ComputeKernels, KernelId, KernelScope, Law, Polynomial};

const HEADER: &str = "kernel,node,cpu,day,mnk,intercept,mnk_residual\n";

fn read(lines: &str) -> Observations {
    Observations::from_csv(&format!("{HEADER}{lines}"), None).unwrap()
}

fn matrix(rows: &[&[f64]]) -> Symmetric {
    let rows: Vec<Vec<f64>> = rows.iter().map(|row| row.to_vec()).collect();
    Symmetric::from_rows(&rows).unwrap()
}

/// The figures of a healthy cluster, of about the size of those of Dahu.
fn healthy() -> ClusterModel {
    let text = "mean:mnk mean:1 deviation:mnk";
    let coefficients = text.split(' ').map(|name| Coefficient::named(name, "mnk").unwrap());
    ClusterModel {
        kernel: "dgemm".into(),
        cpus: 2,
        coefficients: coefficients.collect(),
        daily: matrix(&[&[4e-26, 1e-20, 0.0], &[1e-20, 1e-14, 2e-21], &[0.0, 2e-21, 9e-28]]),
        kinds: vec![Kind {
            weight: 1.0,
            mean: vec![1e-11, 2e-6, 3e-13],
            spatial: matrix(&[&[9e-26, 0.0, 3e-27], &[0.0, 4e-14, 0.0], &[3e-27, 0.0, 4e-27]]),
        }],
    }
}

fn drawing(nodes: u32, days: u32) -> Drawing {
    let hosts = (0..nodes).map(|number| format!("n-{number}")).collect();
    Drawing { hosts, cpus: 2, days, spatial: 1.0, daily: 1.0, seed: 42 }
}

fn check_close(found: &Symmetric, expected: &Symmetric, tolerance: f64) {
    for i in 0..expected.order() {
        for j in 0..expected.order() {
            let unit = (expected.at(i, i) * expected.at(j, j)).sqrt();
            let error = (found.at(i, j) - expected.at(i, j)).abs() / unit;
            assert!(error < tolerance, "{i} {j}: {:e}, {:e}", found.at(i, j), expected.at(i, j));
        }
    }
}

#[test]
fn the_covariances_of_four_measurements_are_those_found_by_hand() {
    // Processor a: 1 and 3, mean 2; processor b: 5 and 7, mean 6. From day to day the variance is
    // 4 (1 squared) / 2 = 2. The means vary by 8, of which 2 / 2 is from the days: 7 is left. The
    // second coefficient is twice the first.
    let table = "node,day,mnk,mnk_residual\na,1,1,2\na,2,3,6\nb,1,5,10\nb,2,7,14\n";
    let model = ClusterModel::fit(&Observations::from_csv(table, None).unwrap(), 1).unwrap();
    assert_eq!(model.kinds.len(), 1);
    assert_eq!((model.kinds[0].weight, model.kinds[0].mean.as_slice()), (1.0, &[4.0, 8.0][..]));
    check_close(&model.daily, &matrix(&[&[2.0, 4.0], &[4.0, 8.0]]), 1e-12);
    check_close(&model.kinds[0].spatial, &matrix(&[&[7.0, 14.0], &[14.0, 28.0]]), 1e-12);
}

#[test]
fn processors_that_differ_less_than_their_days_do_not_differ() {
    let table = "node,day,mnk\na,1,1\na,2,9\nb,1,2\nb,2,8.5\n";
    let model = ClusterModel::fit(&Observations::from_csv(table, None).unwrap(), 1).unwrap();
    assert_eq!(model.kinds[0].spatial.at(0, 0), 0.0);
}

#[test]
fn one_day_tells_nothing_of_days_and_one_processor_nothing_of_processors() {
    let model = ClusterModel::fit(&read("dgemm,a,0,,3,2,1\n"), 1).unwrap();
    assert_eq!(model.daily, Symmetric::zero(3));
    assert_eq!(model.kinds[0].spatial, Symmetric::zero(3));
    assert_eq!(model.kinds[0].mean, [3.0, 2.0, 1.0]);
}

#[test]
fn what_was_drawn_is_learnt_again() {
    let model = healthy();
    let again = ClusterModel::fit(&model.draw(&drawing(500, 20)), 1).unwrap();
    // 1,000 processors: a mean is known to 1/sqrt(1000) = 3 % of the deviation between them, a
    // covariance to sqrt(2/1000) = 4.5 %; those of 20,000 days to 1 %. Five times that is allowed.
    let (found, expected) = (&again.kinds[0], &model.kinds[0]);
    for i in 0..3 {
        let unit = (expected.spatial.at(i, i) + model.daily.at(i, i)).sqrt();
        assert!((found.mean[i] - expected.mean[i]).abs() < 0.16 * unit, "{:e}", found.mean[i]);
    }
    check_close(&found.spatial, &expected.spatial, 0.23);
    check_close(&again.daily, &model.daily, 0.05);
    assert_eq!((again.cpus, &again.coefficients), (2, &model.coefficients));
}

#[test]
fn a_few_slow_nodes_are_a_kind_of_their_own() {
    let mut model = healthy();
    let mut slow = model.kinds[0].clone();
    slow.mean = vec![1.3e-11, 4e-6, 8e-13];
    slow.weight = 0.1;
    model.kinds[0].weight = 0.9;
    model.kinds.push(slow);
    let again = ClusterModel::fit(&model.draw(&drawing(1000, 5)), 2).unwrap();
    for (found, expected) in again.kinds.iter().zip(&model.kinds) {
        // 100 slow nodes of 1,000 are expected, with a deviation of 9.5.
        assert!((found.weight - expected.weight).abs() < 0.05, "{}", found.weight);
        for (found, expected) in found.mean.iter().zip(&expected.mean) {
            assert!((found / expected - 1.0).abs() < 0.05, "{found:e} {expected:e}");
        }
        check_close(&found.spatial, &expected.spatial, 0.6);
    }
}

#[test]
fn kinds_are_of_nodes_not_of_their_processors() {
    // On the third node one processor is slow and the other as fast as any: it is a slow node.
    let lines = [("a", 0, 5.0), ("a", 1, 5.2), ("b", 0, 5.1), ("b", 1, 5.1), ("c", 0, 9.0)];
    let lines = lines.into_iter().chain([("c", 1, 5.0)]);
    let lines: String =
        lines.map(|(node, cpu, mnk)| format!("dgemm,{node},{cpu},,{mnk},2,1\n")).collect();
    let model = ClusterModel::fit(&read(&lines), 2).unwrap();
    let slow = &model.kinds[1];
    assert_eq!((slow.weight, slow.mean[0]), (1.0 / 3.0, 7.0));
}

#[test]
fn a_seed_gives_one_cluster_and_larger_ones_begin_with_it() {
    let model = healthy();
    let (small, large) = (model.draw(&drawing(3, 2)), model.draw(&drawing(5, 2)));
    assert_eq!(small, model.draw(&drawing(3, 2)));
    assert_eq!(small.rows, large.rows[..small.rows.len()]);
    assert_ne!(small, model.draw(&Drawing { seed: 43, ..drawing(3, 2) }));
}

#[test]
fn factors_of_zero_make_all_processors_alike() {
    let alike = Drawing { spatial: 0.0, daily: 0.0, ..drawing(4, 3) };
    let drawn = healthy().draw(&alike);
    assert!(drawn.rows.iter().all(|row| row.values == healthy().kinds[0].mean));
}

#[test]
fn files_say_what_the_model_says() {
    let model = healthy();
    assert_eq!(ClusterModel::from_toml(&model.to_toml()), Ok(model.clone()));
    let drawn = model.draw(&drawing(3, 2));
    assert_eq!(Observations::from_csv(&drawn.to_csv(), None), Ok(drawn));
}

#[test]
fn what_is_drawn_is_a_file_of_kernels() {
    let drawn = healthy().draw(&drawing(2, 0));
    let kernels = ComputeKernels::from_toml(&drawn.to_kernels_toml()).unwrap();
    let mut expected = ComputeKernels { cpus: 2, ..ComputeKernels::default() };
    for row in &drawn.rows {
        let scope = KernelScope { hosts: vec![row.host.clone()], cpu: Some(row.cpu), day: None };
        let mean = Polynomial::new([(row.values[0], [1, 1, 1]), (row.values[1], [0, 0, 0])]);
        let deviation = Polynomial::new([(row.values[2], [1, 1, 1])]);
        expected.set(KernelId::DGEMM, scope, Law { mean, deviation });
    }
    assert_eq!(kernels, expected);
    assert_eq!(ComputeKernels::from_csv(&drawn.to_csv()).unwrap(), expected);
}

/// The mistakes of a table: the text at each place, and what is told.
fn mistakes(table: &str, kernel: Option<&str>) -> Vec<(String, String)> {
    let found = Observations::from_csv(table, kernel).unwrap_err();
    found.iter().map(|one| (table[one.span.clone()].to_owned(), one.message.clone())).collect()
}

fn check_mistake(table: &str, place: &str, message: &str) {
    assert_eq!(mistakes(table, None), [(place.to_owned(), message.to_owned())]);
}

#[test]
fn mistakes_in_tables_are_told_with_their_places() {
    check_mistake("", "", "the table is empty");
    check_mistake("day,mnk\n1,2\n", "day", "no column is called `host` or `node`");
    check_mistake("node,mnk_residual\na,1\n", "node", "no column is a term of the mean");
    check_mistake("node,mnk,mean:mnk\na,1,1\n", "mean:mnk", "`mean:mnk` is there twice");
    let unknown = "`mnx` is no product of the dimensions `mnk`: there is no `x`";
    check_mistake("node,mnk,mnx\na,1,1\n", "mnx", unknown);
    check_mistake("node,mnk\na,fast\n", "fast", "`fast` is not a number of seconds");
    check_mistake("node,mnk\na,inf\n", "inf", "`inf` is no number of seconds to compute with");
    check_mistake("node,mnk\na,1,2\n", "2", "3 fields under 2 columns");
    check_mistake("node,mnk\n,1\n", "", "this line names no host");
    check_mistake("node,cpu,mnk\na,-1,1\n", "-1", "`-1` is not the number of a CPU");
    let both = "kernel,node,n\ndaxpy,a,1\ndscal,a,1\n";
    check_mistake(both, "", "the table is about several kernels: daxpy, dscal");
    let (_, told) = &mistakes(both, Some("dgemm"))[0];
    assert_eq!(told, "no line is about `dgemm`; there are: daxpy, dscal");
    assert_eq!(Observations::from_csv(both, Some("dscal")).unwrap().rows.len(), 1);
    assert_eq!(mistakes("node,mnk\na,x\nb,y\n", None).len(), 2);
}

#[test]
fn what_cannot_be_learnt_is_told() {
    let none = Observations::from_csv("node,mnk\n", None).unwrap();
    assert_eq!(ClusterModel::fit(&none, 1), Err(FitError::Empty));
    let told = ClusterModel::fit(&read("dgemm,a,0,,3,2,1\n"), 2).unwrap_err().to_string();
    assert_eq!(told, "1 nodes are not enough to tell 2 kinds apart");
}

#[test]
fn mistakes_in_models_are_told_with_their_places() {
    let sound = healthy().to_toml();
    let check = |from: &str, to: &str, place: &str, message: &str| {
        let text = sound.replacen(from, to, 1);
        let mistake = ClusterModel::from_toml(&text).unwrap_err().remove(0);
        assert_eq!((&text[mistake.span.clone()], mistake.message.as_str()), (place, message));
    };
    check("weight = 1", "weight = 2", "2", "a weight is between 0 and 1");
    check("\"dgemm\"", "\"fft\"", "\"fft\"", "`fft` is not a kernel that is known by name");
    check("weight", "wait", "wait", "unknown key `wait` in a model");
    check("cpus = 2", "cpus = 0", "0", "expected a whole number from 1 to 1024");
    check("cpus", "cpus = 1\nmore", "more", "unknown key `more` in a model");
    let few = "expected 3 numbers, as many as there are coefficients";
    check("mean = [1e-11, ", "mean = [", "[2e-6, 3e-13]", few);
}

/// A text with a few characters put in other places, or others in theirs.
fn damaged(text: &str, noise: &mut crate::kernels::Noise) -> String {
    const OTHERS: [char; 12] = [',', '\n', '"', '#', '-', 'e', '9', ' ', 'm', 'é', '[', '='];
    let mut letters: Vec<char> = text.chars().collect();
    for _ in 0..=noise.below(4) {
        let (at, from) = (noise.below(letters.len() as u64), noise.below(letters.len() as u64));
        match noise.below(3) {
            0 => letters[at as usize] = OTHERS[noise.below(12) as usize],
            1 => letters.swap(at as usize, from as usize),
            _ => letters.truncate(at.max(1) as usize),
        }
    }
    letters.into_iter().collect()
}

#[test]
fn damaged_files_are_read_or_told_with_places_in_them() {
    let model = healthy();
    let (table, file) = (model.draw(&drawing(2, 2)).to_csv(), model.to_toml());
    let mut noise = crate::kernels::Noise::new(1, 0);
    for _ in 0..3000 {
        let text = damaged(&table, &mut noise);
        let mistakes = match Observations::from_csv(&text, None) {
            Ok(observations) => {
                let _ = ClusterModel::fit(&observations, 2);
                continue;
            }
            Err(mistakes) => mistakes,
        };
        assert!(mistakes.iter().all(|one| text.get(one.span.clone()).is_some()), "{text}");
    }
    for _ in 0..3000 {
        let text = damaged(&file, &mut noise);
        match ClusterModel::from_toml(&text) {
            Ok(model) => drop(model.draw(&drawing(2, 1))),
            Err(mistakes) => {
                assert!(mistakes.iter().all(|one| text.get(one.span.clone()).is_some()), "{text}");
            }
        }
    }
}
